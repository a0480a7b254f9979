package roster

import (
	"context"
	"fmt"

	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/resolve"
)

// issuing is a county and a year, whose bookings are numbered together.
type issuing struct{ county, year int16 }

// issuingOf returns the county and the year, in Georgia, of a booking.
func issuingOf(b *resolve.BookingState) issuing {
	return issuing{b.County, int16(b.BookedAt.In(models.Georgia).Year())} //nolint:gosec // a year
}

// number sets the keys and public ids of new bookings, in their order. states[i] is the booking of claims[i].
func (ro *roster) number(ctx context.Context, claims []*resolve.BookingClaim, states []resolve.BookingState) error {
	if ro.slugs == nil {
		ro.slugs = map[int16]string{}
		var id int16
		var slug string
		if err := ro.Each(ctx, "county_slugs", nil, []any{&id, &slug}, func() error { ro.slugs[id] = slug; return nil }); err != nil {
			return err
		}
	}
	ids, err := ro.issue(ctx, claims, states)
	if err != nil {
		return err
	}
	i := 0
	var rid int64
	return ro.Each(ctx, "next_records", engine.Args{"n": len(states)}, []any{&rid}, func() error {
		states[i].Record, states[i].ID = rid, ids[i]
		i++
		return nil
	})
}

// issue returns the public ids of new bookings: {county}-{year}-{sequence} (SPEC.md), or those that they had in the system
// that is taken over, whose sequences then go on above the highest.
// A number is given once: those of withheld and merged bookings are not free again.
func (ro *roster) issue(ctx context.Context, claims []*resolve.BookingClaim, states []resolve.BookingState) ([]string, error) {
	ids := make([]string, len(states))
	if ro.Imported {
		highest := map[issuing]int64{}
		for i, c := range claims {
			ids[i] = c.Key
			if year, n, ok := sequence(ro.slugs[states[i].County], c.Key); ok {
				of := issuing{states[i].County, year}
				highest[of] = max(highest[of], n)
			}
		}
		return ids, ro.Do(ctx, "raise_sequences", sequences(highest))
	}
	// One statement takes all numbers of the chunk, for each county and year.
	counts, next := map[issuing]int64{}, map[issuing]int64{}
	for i := range states {
		counts[issuingOf(&states[i])]++
	}
	var of issuing
	var last int64
	err := ro.Each(ctx, "take_sequences", sequences(counts), []any{&of.county, &of.year, &last}, func() error {
		next[of] = last - counts[of]
		return nil
	})
	for i := range states {
		of := issuingOf(&states[i])
		next[of]++
		ids[i] = fmt.Sprintf("%s-%d-%06d", ro.slugs[of.county], of.year, next[of])
	}
	return ids, err
}

// sequences returns numbers of counties and years as arguments of a statement.
func sequences(of map[issuing]int64) engine.Args {
	counties, years, n := make([]int16, 0, len(of)), make([]int16, 0, len(of)), make([]int64, 0, len(of))
	for k, count := range of {
		counties, years, n = append(counties, k.county), append(years, k.year), append(n, count)
	}
	return engine.Args{"counties": counties, "years": years, "counts": n}
}
