import { type Geoid, stateFipsOf } from '../core/geoid.js';
import { stateByFips } from '../core/states.js';
import { type Layer, layerId } from './layer.js';
import type { LoadSink, Outline, TractOverlap, TractRow } from './model.js';
import type { ProviderRow } from './providers/provider.js';
import { ProviderIntake } from './providers/provider-intake.js';
import type { SourceId } from './source-id.js';
import { createSequenceKeys } from './sources/acs/sequence/sequence-keys.js';
import type { StreetSegment } from './street-segment.js';
import { Tally } from './tally.js';

/** Which states to load. */
export interface LoadFilter {
  /** Two-digit FIPS codes; undefined for all. */
  readonly states?: ReadonlySet<string> | undefined;
  /** Keep Puerto Rico and the island areas. */
  readonly territories: boolean;
  /** Keep providers of every taxonomy, not only those that are of a provider type. */
  readonly allProviders?: boolean;
}

/** A tract of the spine with the account of the gazetteer that it is from; undefined where an outline made it. */
interface SpineEntry {
  readonly row: TractRow;
  readonly tally: Tally | undefined;
}

const SUPERSEDED = 'newer gazetteer loaded';

/** Everything that the sources gave, before it is joined. */
export class Intake implements LoadSink {
  readonly tallies: Tally[] = [];
  private readonly tallyById = new Map<string, Tally>();
  readonly layers = new Map<string, Layer>();
  readonly outlines = new Map<Geoid, Outline>();
  readonly overlaps: TractOverlap[] = [];
  readonly providers: ProviderIntake;
  readonly acsSequences = createSequenceKeys();
  readonly streetSegments: StreetSegment[] = [];
  readonly connecticutMoves = new Map<Geoid, Geoid>();
  private readonly spine = new Map<Geoid, SpineEntry>();
  private readonly countyNames = new Map<string, { name: string; trust: number }>();
  /** Newest gazetteer vintage by state: the delineation that the state's tracts carry. */
  private readonly newestByState = new Map<string, number>();

  constructor(private readonly filter: LoadFilter) {
    this.providers = new ProviderIntake(filter.allProviders ?? false);
  }

  /** The states that alone are loaded (two-digit FIPS), in order; none where all are. */
  get wantedStates(): readonly string[] {
    return [...(this.filter.states ?? [])].sort();
  }

  tally(source: SourceId, product: string, file?: string): Tally {
    const id = JSON.stringify([source, product, file]);
    const known = this.tallyById.get(id);
    if (known) return known;
    const tally = new Tally(source, product, file);
    this.tallyById.set(id, tally);
    this.tallies.push(tally);
    return tally;
  }

  /** Puts a source's accounts behind the others. */
  tellLast(source: SourceId): void {
    const own = this.tallies.filter((tally) => tally.source === source);
    const others = this.tallies.filter((tally) => tally.source !== source);
    this.tallies.splice(0, this.tallies.length, ...others, ...own);
  }

  leaveOut(stateFips: string): 'other state' | 'territory' | undefined {
    const state = stateByFips(stateFips);
    // Territories that are named in --states are wanted.
    if (this.filter.states) return this.filter.states.has(stateFips) ? undefined : 'other state';
    return state?.territory === true && !this.filter.territories ? 'territory' : undefined;
  }

  addTract(row: TractRow, vintageYear: number, tally: Tally): void {
    const state = stateFipsOf(row.geoid);
    const newest = this.newestByState.get(state);
    if (newest !== undefined && vintageYear < newest) {
      tally.leave(SUPERSEDED);
      return;
    }
    if (newest !== undefined && vintageYear > newest) this.dropState(state);
    this.newestByState.set(state, vintageYear);
    if (this.spine.has(row.geoid)) tally.leave('in another gazetteer of the year');
    else this.spine.set(row.geoid, { row, tally });
  }

  /** A tract that no gazetteer lists, from its outline's own attributes. */
  addOutlinedTract(row: TractRow): void {
    this.spine.set(row.geoid, { row, tally: undefined });
  }

  /** An older gazetteer's tracts make way: a state's tracts come from one vintage. */
  private dropState(state: string): void {
    for (const [geoid, { tally }] of this.spine) {
      if (stateFipsOf(geoid) !== state) continue;
      this.spine.delete(geoid);
      tally?.leave(SUPERSEDED);
    }
  }

  addOutline(outline: Outline): void {
    this.outlines.set(outline.geoid, outline);
  }

  addLayer(layer: Layer): void {
    const id = layerId(layer.key);
    const known = this.layers.get(id);
    if (known) known.merge(layer);
    else this.layers.set(id, layer);
  }

  addCountyName(countyFips: string, name: string, trust: number): void {
    const known = this.countyNames.get(countyFips);
    if (!known || trust > known.trust) this.countyNames.set(countyFips, { name, trust });
  }

  addConnecticutMove(from: Geoid, to: Geoid): void {
    this.connecticutMoves.set(from, to);
  }

  addOverlap(overlap: TractOverlap): void {
    this.overlaps.push(overlap);
  }

  addProvider(row: ProviderRow): void {
    this.providers.store.add(row, undefined, row);
  }

  addStreetSegment(segment: StreetSegment): void {
    this.streetSegments.push(segment);
  }

  /** The tracts so far, in GEOID order. */
  tracts(): TractRow[] {
    return [...this.spine.values()].map(({ row }) => row).sort((a, b) => (a.geoid < b.geoid ? -1 : 1));
  }

  hasTract(geoid: Geoid): boolean {
    return this.spine.has(geoid);
  }

  /** A tract as a gazetteer lists it, and the account of that. */
  listedTract(geoid: Geoid): { readonly row: TractRow; readonly tally: Tally } | undefined {
    const { row, tally } = this.spine.get(geoid) ?? {};
    return row && tally && { row, tally };
  }

  /** Whether a gazetteer says which tracts the state has. */
  hasGazetteer(stateFips: string): boolean {
    return this.newestByState.has(stateFips);
  }

  /** The county's name, or an empty text where no file held it. */
  countyName(countyFips: string): string {
    return this.countyNames.get(countyFips)?.name ?? '';
  }
}
