package reconcile

import (
	"context"
	"fmt"

	"rollcall/models"
	"rollcall/models/db"
)

// guardBookings rejects the rows of other people, like guard. Where only the birth dates conflict somebody
// of that name is still listed under the key, so nobody was released: such a row is quarantined and yet
// counts as a sighting that tells nothing new, but that the person may be a juvenile.
func (st *staging) guardBookings(ctx context.Context, query string) error {
	strangers, namesakes, err := st.strangers(ctx, query)
	if err != nil || len(strangers) == 0 {
		return err
	}
	seen, err := st.keepSightings(ctx, namesakes)
	if err != nil {
		return err
	}
	rest := strangers[:0]
	for _, ord := range strangers {
		if !seen[ord] {
			rest = append(rest, ord)
		}
	}
	return st.reject(ctx, "identity", anotherPerson, rest)
}

// keepSightings gives contested rows the facts that are known of their bookings, notes them as rejected,
// and tells which they were. Their print is none, so that whatever the source says next is read.
// A release stands: it is not for a contested row to take it back.
func (st *staging) keepSightings(ctx context.Context, ords []int64) (seen map[int64]bool, err error) {
	seen = map[int64]bool{}
	if len(ords) == 0 {
		return seen, nil
	}
	rows, err := st.tx.Query(ctx, `update staged s set name = b.name, name_key = b.name_key, dob = b.dob, birth_year = b.birth_year, booked_at = b.booked_at, released_at = b.released_at,
  release_inferred = b.release_inferred, planned_release = b.planned_release, charges = b.charges, bond_cents = b.bond_cents, print = '', person_key = g.person_key, locator = g.locator,
  sign = case when s.withheld = $3 then 'more' end, withheld = case when s.withheld = $3 then $3 when b.sealed_by is null and b.sealed_case is null then b.withheld end, (statutes, severities, bonds, bond_texts, dispositions) = (`+chargesOf+`)
 from known k join bookings b on b.rid = k.rid cross join lateral `+db.SightingsOf("k.rid")+` g
 where k.ord = s.ord and g.source_id = $2 and g.booking_key = s.booking_key and s.ord = any($1) and (b.released_at is null or s.withheld = $3) returning s.ord, s.line`, ords, st.SourceID, models.Juvenile)
	if err != nil {
		return nil, fmt.Errorf("keep contested sightings: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var ord, line int64
		if err := rows.Scan(&ord, &line); err != nil {
			return nil, fmt.Errorf("keep contested sightings: %w", err)
		}
		seen[ord] = true
		st.applied.Rejected = append(st.applied.Rejected, models.RejectedRow{Line: line, Field: "identity", Reason: anotherPerson})
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("keep contested sightings: %w", err)
	}
	return seen, nil
}

// chargesOf are the charges of a booking b as parallel lists, all null where it has only descriptions.
const chargesOf = `select array_agg(coalesce(c.statute, '') order by seq), array_agg(coalesce(c.severity, '') order by seq), array_agg(c.bond_cents order by seq),
  array_agg(coalesce(c.bond_text, '') order by seq), array_agg(coalesce(c.disposition, '') order by seq) from booking_charges c where c.rid = b.rid`
