package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"rollcall/match"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// Absentee is a claim that a complete snapshot lacks.
type Absentee struct {
	Key    string
	Record int64
}

// Exemption is whom rows may speak of that could not be taken. Nobody of them is absent.
type Exemption struct {
	Keys    map[string]bool
	records map[int64]bool
	names   map[string][]string // by their first words
}

// Absences notes what a complete snapshot lacks. Nothing but two facts counts: when a claim was seen last, and which
// complete snapshots of its source are later. So snapshots may arrive in any order, and twice. whose tells the name of a
// claim, stillSame when a copy of the snapshot before confirms it after all, 0: never.
func Absences[F any](ctx context.Context, r *Run, whose func(*F) string, stillSame time.Duration) error {
	if !r.Tracks || !r.Verdict.Complete {
		return nil
	}
	absent, err := r.Absentees(ctx)
	if err != nil || len(absent) == 0 {
		return err
	}
	exempt, err := r.Exemption(ctx)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(absent, Chunk) {
		if err := missing(ctx, r, some, exempt, whose, stillSame); err != nil {
			return err
		}
	}
	return nil
}

func (r *Run) Absentees(ctx context.Context) (list []Absentee, err error) {
	var a Absentee
	var record *int64
	err = r.Each(ctx, "absent_keys", Args{"source": r.SourceID, "at": r.At}, []any{&a.Key, &record}, func() error {
		if a.Record = 0; record != nil {
			a.Record = *record
		}
		list = append(list, a)
		return nil
	})
	return list, err
}

// missing notes absences of some claims.
func missing[F any](ctx context.Context, r *Run, absent []Absentee, exempt *Exemption, whose func(*F) string, stillSame time.Duration) error {
	keys := make([]string, len(absent))
	for i, a := range absent {
		keys[i] = a.Key
	}
	claims, err := ClaimsByKey[F](ctx, r.Session, r.SourceID, keys)
	if err != nil {
		return err
	}
	var write []*resolve.Claim[F]
	for _, a := range absent {
		c := claims[a.Key]
		last := c.LastSeen()
		switch {
		case exempt.Keys[c.Key] || exempt.Named(whose(&c.Facts)):
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
				r.Impact.Marked++
			}
		}
		write = append(write, c)
		r.Touch(c.Record)
	}
	return WriteClaims(ctx, r.Session, nil, write)
}

// Exemption gathers whom unreadable and refused rows speak of, with the records of their keys: those are told of under
// another key too.
func (r *Run) Exemption(ctx context.Context) (*Exemption, error) {
	s := r.Exempt()
	s = snapshot.Exempt{Keys: slices.Concat(s.Keys, r.refused.Keys), Names: slices.Concat(s.Names, r.refused.Names)}
	e := &Exemption{Keys: map[string]bool{}, records: map[int64]bool{}, names: map[string][]string{}}
	for _, key := range s.Keys {
		e.Keys[key] = true
	}
	for _, name := range s.Names {
		word := firstWord(name)
		e.names[word] = append(e.names[word], name)
	}
	if len(s.Keys) == 0 {
		return e, nil
	}
	var record int64
	return e, r.Each(ctx, "records_of_keys", Args{"source": r.SourceID, "keys": s.Keys}, []any{&record}, func() error {
		e.records[record] = true
		return nil
	})
}

// Named reports whether a row that could not be taken may speak of somebody by name.
func (e *Exemption) Named(name string) bool {
	return slices.ContainsFunc(e.names[firstWord(name)], func(other string) bool {
		return resolve.Same(snapshot.Identity{Name: name}, snapshot.Identity{Name: other})
	})
}

func firstWord(name string) string {
	word, _, _ := strings.Cut(match.SearchKey(name), " ")
	return word
}

// Touch notes that a record has to be resolved anew; 0 is none.
func (r *Run) Touch(record int64) {
	if record != 0 {
		r.Touched = append(r.Touched, record)
	}
}
