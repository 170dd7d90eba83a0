import type { LatLng } from '../../core/coordinates.js';
import type { Geoid } from '../../core/geoid.js';

/** A share of a ZIP that lies in a tract, such as its land in square metres; only shares of one ZIP are compared. */
export interface ZipShare {
  readonly geoid: Geoid;
  readonly weight: number;
}

/** Points that stand for ZIPs. */
export class ZipPoints {
  private readonly points = new Map<string, LatLng>();
  private readonly shares = new Map<string, ZipShare[]>();

  /** The ZIP's own point, as a gazetteer of ZCTAs has it. False where there is one already. */
  addPoint(zip: string, point: LatLng): boolean {
    if (this.points.has(zip)) return false;
    this.points.set(zip, point);
    return true;
  }

  addShare(zip: string, share: ZipShare): void {
    const known = this.shares.get(zip);
    if (known) known.push(share);
    else this.shares.set(zip, [share]);
  }

  /**
   * A ZIP's point: its own where a gazetteer has one, else the mean of its tracts' internal points, each by its share.
   * Undefined for a ZIP that no file tells of.
   */
  find(zip: string, internalPointOf: (geoid: Geoid) => LatLng | undefined): LatLng | undefined {
    const own = this.points.get(zip);
    if (own) return own;
    let [lat, lng, weights] = [0, 0, 0];
    for (const { geoid, weight } of this.shares.get(zip) ?? []) {
      const point = internalPointOf(geoid);
      if (!point) continue;
      lat += point.lat * weight;
      lng += point.lng * weight;
      weights += weight;
    }
    return weights > 0 ? { lat: lat / weights, lng: lng / weights } : undefined;
  }
}
