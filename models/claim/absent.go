package claim

import (
	"context"
	"slices"
	"strings"
	"time"

	"rollcall/match"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// absentee is a claim that a complete snapshot lacks.
type absentee struct {
	key    string
	record int64
}

// exemption is whom rows may speak of that could not be taken. Nobody of them is absent.
type exemption struct {
	keys    map[string]bool
	records map[int64]bool
	names   map[string][]string // by their first words
}

// absences notes what a complete snapshot lacks. Nothing but two facts counts: when a claim was seen last, and which
// complete snapshots of its source are later. So snapshots may arrive in any order, and twice. whose tells the name of a
// claim, stillSame when a copy of the snapshot before confirms it after all, 0: never.
func absences[F any](ctx context.Context, r *run, whose func(*F) string, stillSame time.Duration) error {
	if !r.Tracks || !r.verdict.Complete {
		return nil
	}
	absent, err := r.absentees(ctx)
	if err != nil || len(absent) == 0 {
		return err
	}
	exempt, err := r.exempt(ctx)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(absent, chunk) {
		if err := missing(ctx, r, some, exempt, whose, stillSame); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) absentees(ctx context.Context) (list []absentee, err error) {
	var a absentee
	var record *int64
	err = r.each(ctx, "absent_keys", args{"source": r.SourceID, "at": r.At}, []any{&a.key, &record}, func() error {
		if a.record = 0; record != nil {
			a.record = *record
		}
		list = append(list, a)
		return nil
	})
	return list, err
}

// missing notes absences of some claims.
func missing[F any](ctx context.Context, r *run, absent []absentee, exempt *exemption, whose func(*F) string, stillSame time.Duration) error {
	keys := make([]string, len(absent))
	for i, a := range absent {
		keys[i] = a.key
	}
	claims, err := claimsByKey[F](ctx, r.session, r.SourceID, keys)
	if err != nil {
		return err
	}
	var write []*resolve.Claim[F]
	for _, a := range absent {
		c := claims[a.key]
		last := c.LastSeen()
		switch {
		case exempt.keys[c.Key] || exempt.named(whose(&c.Facts)):
			if !c.Present || c.Misses == 0 {
				continue
			}
			c.Misses, c.MissingSince = 0, nil
		case exempt.records[c.Record] || !last.Before(r.At):
			continue
		default:
			before, first := c.Head, c.Misses == 0
			c.SaidAt = last // unchanged rows were not written
			c.Miss(last, stillSame)
			if before.Misses == c.Misses && before.SaidAt.Equal(last) { // the same snapshot again
				continue
			}
			if first && c.Misses > 0 && c.Present {
				r.impact.marked++
			}
		}
		write = append(write, c)
		r.touch(c.Record)
	}
	return writeClaims(ctx, r.session, nil, write)
}

// exempt gathers whom unreadable and refused rows speak of, with the records of their keys: those are told of under
// another key too.
func (r *run) exempt(ctx context.Context) (*exemption, error) {
	s := r.Exempt()
	s = snapshot.Exempt{Keys: slices.Concat(s.Keys, r.refused.Keys), Names: slices.Concat(s.Names, r.refused.Names)}
	e := &exemption{keys: map[string]bool{}, records: map[int64]bool{}, names: map[string][]string{}}
	for _, key := range s.Keys {
		e.keys[key] = true
	}
	for _, name := range s.Names {
		word := firstWord(name)
		e.names[word] = append(e.names[word], name)
	}
	if len(s.Keys) == 0 {
		return e, nil
	}
	var record int64
	return e, r.each(ctx, "records_of_keys", args{"source": r.SourceID, "keys": s.Keys}, []any{&record}, func() error {
		e.records[record] = true
		return nil
	})
}

// named reports whether a row that could not be taken may speak of somebody by name.
func (e *exemption) named(name string) bool {
	return slices.ContainsFunc(e.names[firstWord(name)], func(other string) bool {
		return resolve.Same(snapshot.Identity{Name: name}, snapshot.Identity{Name: other})
	})
}

func firstWord(name string) string {
	word, _, _ := strings.Cut(match.SearchKey(name), " ")
	return word
}

// touch notes that a record has to be resolved anew; 0 is none.
func (r *run) touch(record int64) {
	if record != 0 {
		r.touched = append(r.touched, record)
	}
}
