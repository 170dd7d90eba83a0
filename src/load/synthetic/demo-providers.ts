import type { ProviderType } from '../../core/provider-types.js';

/** A kind of provider in the demo nation. Codes and descriptions are NUCC's (https://nucc.org, code set 24.0). */
export interface DemoProvider {
  readonly type: ProviderType;
  readonly taxonomy: string;
  readonly description: string;
  /** Its frequency relative to the other kinds. */
  readonly weight: number;
  /** Exactly one of these is set: a person with possible credentials, or an organization with the title in its name. */
  readonly person?: { readonly credentials: readonly string[] };
  readonly organization?: { readonly title: string };
}

const person = (taxonomy: string, description: string, weight: number, credentials: string): DemoProvider => ({
  type: 'pcp',
  taxonomy,
  description,
  weight,
  person: { credentials: credentials.split(' ') },
});

const organization = (
  type: ProviderType,
  taxonomy: string,
  description: string,
  weight: number,
  title: string,
): DemoProvider => ({ type, taxonomy, description, weight, organization: { title } });

/** Not drawn by weight: occurs only in tracts of low urbanity. */
export const RURAL_CLINIC = organization(
  'rural_health_clinic',
  '261QR1300X',
  'Rural Health Clinic/Center',
  0,
  'Rural Clinic',
);

export const DEMO_PROVIDERS: readonly DemoProvider[] = [
  person('207Q00000X', 'Family Medicine Physician', 260, 'MD MD DO'),
  person('207R00000X', 'Internal Medicine Physician', 200, 'MD MD MD DO'),
  person('208000000X', 'Pediatrics Physician', 110, 'MD MD MD DO'),
  person('208D00000X', 'General Practice Physician', 20, 'MD DO'),
  person('363LF0000X', 'Family Nurse Practitioner', 190, 'FNP-C NP APRN'),
  person('363LP2300X', 'Primary Care Nurse Practitioner', 30, 'NP APRN'),
  person('363AM0700X', 'Medical Physician Assistant', 60, 'PA-C PA'),
  organization(
    'fqhc',
    '261QF0400X',
    'Federally Qualified Health Center (FQHC)',
    25,
    'Federally Qualified Health Center',
  ),
  organization('urgent_care', '261QU0200X', 'Urgent Care Clinic/Center', 35, 'Urgent Care'),
  organization('primary_care_clinic', '261QP2300X', 'Primary Care Clinic/Center', 50, 'Family Clinic'),
  organization(
    'community_health_center',
    '261QC1500X',
    'Community Health Clinic/Center',
    20,
    'Community Health Center',
  ),
];
