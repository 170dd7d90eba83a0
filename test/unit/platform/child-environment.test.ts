import { expect, onTestFinished, test, vi } from 'vitest';
import { childEnvironment } from '../../../src/platform/child-environment.js';

test('a child gets the variables of its parent, and others only where the parent has none of that name', () => {
  vi.stubEnv('OF_THE_PARENT', 'its own');
  onTestFinished(() => void vi.unstubAllEnvs());
  const environment = childEnvironment({ OF_THE_PARENT: 'another', OF_THE_CHILD: 'new' });
  expect(environment).toMatchObject({ OF_THE_PARENT: 'its own', OF_THE_CHILD: 'new' });
});
