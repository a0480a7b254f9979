package roster

import (
	"context"
	"slices"

	"rollcall/models/claim/internal/engine"
	"rollcall/resolve"
)

// unmerged replaces candidates that are of bookings which others were merged into: each is what the claims that came from the
// one say, or those that came from none. What is shown of such a booking may be of either, and a source that reports the
// other one for the first time would be taken to report a third booking.
func (ro *roster) unmerged(ctx context.Context, records []int64, rows []resolve.Newcomer) error {
	if len(records) == 0 {
		return nil
	}
	if err := ro.load(ctx, records); err != nil {
		return err
	}
	if err := ro.policies(ctx); err != nil {
		return err
	}
	type part struct{ record, gone int64 }
	claims, err := ro.origins(ctx, records)
	if err != nil {
		return err
	}
	slices.Sort(records)
	parts := map[part][]*resolve.BookingClaim{}
	for _, record := range slices.Compact(records) {
		for _, c := range ro.of[record] {
			p := part{record, claims[c.ID()]}
			parts[p] = append(parts[p], c)
		}
	}
	for i := range rows {
		for j := range rows[i].Near {
			c := &rows[i].Near[j]
			if of := parts[part{c.Record, c.By}]; of != nil {
				asClaimed(c, of)
			}
		}
	}
	return nil
}

// asClaimed makes a candidate what some claims of its booking say.
func asClaimed(c *resolve.Candidate, of []*resolve.BookingClaim) {
	is := resolve.Apart(of)
	c.Person, c.BookedAt, c.Over = is.Person(), is.BookedAt, is.Released != nil
	c.Charges = resolve.Descriptions(is.Charges)
	if c.By != 0 {
		c.MergedAt = of[0].HowAt
	}
}

// origins returns the booking that each claim came from which a merge brought to one of some bookings.
func (ro *roster) origins(ctx context.Context, records []int64) (map[resolve.ID]int64, error) {
	out := map[resolve.ID]int64{}
	var id resolve.ID
	var gone int64
	return out, ro.Each(ctx, "origins", engine.Args{"records": records}, []any{&id.Source, &id.Key, &id.Stay, &gone}, func() error {
		out[id] = gone
		return nil
	})
}

// isMerged reports whether a merge brought a claim to its booking.
func isMerged(c *resolve.BookingClaim) bool { return c.How == resolve.Merged }
