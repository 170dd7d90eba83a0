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

/** Reads the dictionary from the package's `datasets/dictionary.json`. Throws if the file is missing or invalid. */
export function readDictionary(): Dictionary {
  const path = packageFile('datasets', 'dictionary.json');
  return parseDictionary(readFileSync(path, 'utf8'), path);
}

/** The answer of GET /v1/dictionary (SPEC 4.8), with the dataset's sources and vintages in the fields' `source`. */
export function dictionary(content: Dictionary, description: DescribedSources, category?: Category): DictionaryAnswer {
  const notes = describeSources(description);
  return answerDictionary(content, (path) => notes.get(path), category);
}
