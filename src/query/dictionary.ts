import { readFileSync } from 'node:fs';
import {
  answerDictionary,
  type Category,
  type Dictionary,
  type DictionaryAnswer,
  parseDictionary,
} from '../core/dictionary.js';
import { packageFile } from '../platform/package-root.js';
import { type DescribedSources, describeSources } from './describe-sources.js';

/** The dictionary in the package's `datasets/dictionary.json`. Throws where the file is missing or not as it should be. */
export function readDictionary(): Dictionary {
  const path = packageFile('datasets', 'dictionary.json');
  return parseDictionary(readFileSync(path, 'utf8'), path);
}

/** The answer of GET /v1/dictionary (SPEC 4.8), with the sources and vintages of a dataset in the fields' `source`. */
export function dictionary(content: Dictionary, description: DescribedSources, category?: Category): DictionaryAnswer {
  const notes = describeSources(description);
  return answerDictionary(content, (path) => notes.get(path), category);
}
