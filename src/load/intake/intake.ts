import type { LatLng } from '../../core/coordinates.js';
import { type Geoid, stateFipsOf } from '../../core/geoid.js';
import { obtain } from '../../core/obtain.js';
import { stateByFips } from '../../core/states.js';
import type { ProviderRow } from '../providers/provider.js';
import { ProviderIntake } from '../providers/provider-intake.js';
import type { SourceId } from '../source-id.js';
import { createSequenceKeys } from '../sources/acs/sequence/sequence-keys.js';
import { type Layer, layerId } from './layer.js';
import type { LoadSink } from './load-sink.js';
import type { StreetSegment } from './street-segment.js';
import { Tally } from './tally.js';
import type { Outline, TractOverlap, TractRow } from './tract-rows.js';

/** Which states to load. */
export interface LoadFilter {
  /** Two-digit FIPS codes; undefined for all. */
  readonly states?: ReadonlySet<string> | undefined;
  /** Keep Puerto Rico and the island areas. */
  readonly territories: boolean;
  /** Keep providers of every taxonomy, not only those whose taxonomy maps to a provider type. */
  readonly allProviders?: boolean;
}

/** A tract of the spine with the tally of the gazetteer that lists it; undefined if the tract comes from an outline. */
interface SpineEntry {
  readonly row: TractRow;
  readonly tally: Tally | undefined;
}

const SUPERSEDED = 'newer gazetteer loaded';
const CONTRADICTING = 'in another gazetteer of the year with other values';

const isSameTract = (a: TractRow, b: TractRow): boolean =>
  a.lat === b.lat && a.lng === b.lng && a.landSqm === b.landSqm && a.waterSqm === b.waterSqm;

/** Everything that was read from the sources, before it is joined. */
export class Intake implements LoadSink {
  readonly tallies: Tally[] = [];
  private readonly tallyById = new Map<string, Tally>();
  readonly layers = new Map<string, Layer>();
  readonly outlines = new Map<Geoid, Outline>();
  readonly overlaps: TractOverlap[] = [];
  readonly providers: ProviderIntake;
  readonly acsSequences = createSequenceKeys();
  readonly streetSegments: StreetSegment[] = [];
  readonly populationCenters = new Map<Geoid, LatLng & { readonly file: string }>();
  readonly connecticutMoves = new Map<Geoid, Geoid>();
  private readonly spine = new Map<Geoid, SpineEntry>();
  private readonly countyNames = new Map<string, { name: string; trust: number }>();
  /** The newest gazetteer vintage by state; the state's tracts are those of its delineation. */
  private readonly newestByState = new Map<string, number>();

  constructor(private readonly filter: LoadFilter) {
    this.providers = new ProviderIntake(filter.allProviders ?? false);
  }

  /** The states that the load is restricted to (two-digit FIPS), sorted; empty if all are loaded. */
  get wantedStates(): readonly string[] {
    return [...(this.filter.states ?? [])].sort();
  }

  tally(source: SourceId, product: string, file?: string): Tally {
    const id = JSON.stringify([source, product, file]);
    return obtain(this.tallyById, id, () => {
      const tally = new Tally(source, product, file);
      this.tallies.push(tally);
      return tally;
    });
  }

  /** Moves a source's tallies behind all others, so that it is reported last. */
  moveTalliesLast(source: SourceId): void {
    const own = this.tallies.filter((tally) => tally.source === source);
    const others = this.tallies.filter((tally) => tally.source !== source);
    this.tallies.splice(0, this.tallies.length, ...others, ...own);
  }

  leaveOut(stateFips: string): 'other state' | 'territory' | undefined {
    const state = stateByFips(stateFips);
    // A territory named in --states is wanted, even without --territories.
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
    const known = this.spine.get(row.geoid);
    if (!known) this.spine.set(row.geoid, { row, tally });
    else if (isSameTract(known.row, row)) tally.leave('in another gazetteer of the year');
    else tally.reject(CONTRADICTING, { geoid: row.geoid, contradicts: known.tally?.file });
  }

  /** Adds a tract that no gazetteer lists, made from its outline's attributes. */
  addOutlinedTract(row: TractRow): void {
    this.spine.set(row.geoid, { row, tally: undefined });
  }

  /** Drops a state's tracts of an older gazetteer: all tracts of a state come from one vintage. */
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

  addPopulationCenter(geoid: Geoid, center: LatLng, file: string): void {
    this.populationCenters.set(geoid, { ...center, file });
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

  /** A tract as a gazetteer lists it, with that gazetteer's tally. */
  listedTract(geoid: Geoid): { readonly row: TractRow; readonly tally: Tally } | undefined {
    const { row, tally } = this.spine.get(geoid) ?? {};
    return row && tally && { row, tally };
  }

  /** Whether a gazetteer lists the state's tracts. */
  hasGazetteer(stateFips: string): boolean {
    return this.newestByState.has(stateFips);
  }

  /** The county's name; empty if no file had it. */
  countyName(countyFips: string): string {
    return this.countyNames.get(countyFips)?.name ?? '';
  }
}
