/** One problem in a request (SPEC 7.4). */
export interface ValidationIssue {
  /** The place of the problem: `["query","lat"]`, `["body","addresses",3]`. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: IssueType;
}

/** The issue types that the contract defines for a 422. */
export type IssueType =
  | 'missing'
  | 'float_parsing'
  | 'int_parsing'
  | 'bool_parsing'
  | 'string_type'
  | 'string_too_short'
  | 'string_too_long'
  | 'string_pattern_mismatch'
  | 'greater_than'
  | 'greater_than_equal'
  | 'less_than'
  | 'less_than_equal'
  | 'enum'
  | 'list_type'
  | 'too_short'
  | 'too_long'
  | 'url_parsing'
  | 'json_invalid'
  | 'value_error';
