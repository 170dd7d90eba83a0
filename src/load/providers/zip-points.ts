import type { LatLng } from '../../core/coordinates.js';
import type { Geoid } from '../../core/geoid.js';
import { obtain } from '../../core/obtain.js';

/** How much of a ZIP lies in a tract, such as land in square metres; weights are compared only within one ZIP. */
export interface ZipShare {
  readonly geoid: Geoid;
  readonly weight: number;
}

/** The points that represent ZIPs. */
export class ZipPoints {
  private readonly points = new Map<string, LatLng>();
  private readonly shares = new Map<string, ZipShare[]>();

  /** Adds the ZIP's own point, from a gazetteer of ZCTAs. False if it has one already. */
  addPoint(zip: string, point: LatLng): boolean {
    if (this.points.has(zip)) return false;
    this.points.set(zip, point);
    return true;
  }

  addShare(zip: string, share: ZipShare): void {
    obtain(this.shares, zip, () => []).push(share);
  }

  /**
   * A ZIP's point: its own if a gazetteer has one, else the mean of its tracts' internal points, weighted by their shares.
   * Undefined for a ZIP that is in no file.
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
