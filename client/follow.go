package client

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"net/url"
	"time"
)

// Batch is a page of records that changed.
type Batch[T any] struct {
	// Items are the records as they are now, each at least once after its last change.
	Items []T
	// Next is where to go on. Store it when Items are dealt with: following from it misses nothing, and may repeat some.
	Next time.Time
	// Meta says how fresh the records are.
	Meta Meta
}

// FollowRoster yields bookings that changed since an instant, and goes on to do so: it asks, waits for every, and asks
// again, until the loop or ctx ends. The zero time begins with all bookings. A pass without changes yields an empty batch,
// so that Next can be stored. An error ends it; follow again from the last Next.
func (c *Client) FollowRoster(ctx context.Context, f RosterFilter, since time.Time, every time.Duration) iter.Seq2[Batch[Booking], error] {
	f.UpdatedSince = time.Time{}
	return follow(ctx, c, "/roster", f.query(), since, every, func(b Booking) string { return b.ID })
}

// FollowCourts is FollowRoster for court cases.
func (c *Client) FollowCourts(ctx context.Context, f CaseFilter, since time.Time, every time.Duration) iter.Seq2[Batch[Case], error] {
	f.UpdatedSince = time.Time{}
	return follow(ctx, c, "/courts", f.query(), since, every, func(k Case) string { return k.County + "\n" + k.CourtType + "\n" + k.Number + "\n" + k.Defendant })
}

// FollowCorrections is FollowRoster for corrections records.
func (c *Client) FollowCorrections(ctx context.Context, f OffenderFilter, since time.Time, every time.Duration) iter.Seq2[Batch[Offender], error] {
	f.UpdatedSince = time.Time{}
	return follow(ctx, c, "/corrections", f.query(), since, every, func(o Offender) string { return o.GDCID })
}

// follow passes over a list again and again. A record may come in two passes, because what a run brings counts as changed
// when the run began; one that is as it was in the last pass is left out.
func follow[T any](ctx context.Context, c *Client, path string, q url.Values, since time.Time, every time.Duration, id func(T) string) iter.Seq2[Batch[T], error] {
	return func(yield func(Batch[T], error) bool) {
		var before map[string][]byte
		for next := since; ; {
			now := map[string][]byte{}
			if text := instant(next); text != "" {
				q.Set("updated_since", text)
			}
			begun, first := next, true // the next pass begins where the first page of this one says
			for p, err := range pages[T](ctx, c, path, "records", q) {
				if err != nil {
					yield(Batch[T]{}, err)
					return
				}
				if first && !p.Meta.AsOf.IsZero() {
					begun = p.Meta.AsOf
				}
				first = false
				b := Batch[T]{Items: changed(p.Items, id, before, now), Next: next, Meta: p.Meta}
				if p.next == nil {
					b.Next = begun
				}
				if !yield(b, nil) {
					return
				}
			}
			before, next = now, begun
			if err := sleep(ctx, every); err != nil {
				yield(Batch[T]{}, err)
				return
			}
		}
	}
}

// changed returns the items that are not as they were before, and notes them in now.
func changed[T any](items []T, id func(T) string, before, now map[string][]byte) []T {
	out := make([]T, 0, len(items))
	for _, item := range items {
		text, err := json.Marshal(item)
		key := id(item)
		if err != nil || (!bytes.Equal(before[key], text) && !bytes.Equal(now[key], text)) {
			out = append(out, item)
		}
		now[key] = text
	}
	return out
}
