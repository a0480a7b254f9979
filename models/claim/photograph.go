package claim

import (
	"context"
	"slices"
	"time"

	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/db/joint"
)

// Photographable is a claim whose photograph may be taken.
type Photographable struct {
	Key string // of the claim within its source
	// Fingerprint is that of the newest row of the claim. A row with another one does not speak for the claim any more.
	Fingerprint []byte
	Record      int64  // that the claim is attached to
	Photograph  string // the hash of the picture that it has; empty: none
}

// Photograph is the picture of a claim.
type Photograph struct {
	Source, Key string // name the claim
	Stay        int16  // as in resolve.ID
	Hash        string // of the picture; empty takes it away
}

// Photographables returns the claims of a source under some keys whose photographs may be taken, by key. Claims on withheld
// records are left out, those of people who asked for removal, and of bookings those of people released before an instant.
func (s *Store) Photographables(ctx context.Context, family models.Family, source string, keys []string, releasedSince time.Time) (map[string]Photographable, error) {
	out := map[string]Photographable{}
	err := s.db.Joint(ctx, func(tx *joint.Tx) error {
		t := s.action(tx, family)
		var p Photographable
		var records []int64
		err := t.Each(ctx, "photographable", engine.Args{"family": family, "source": source, "keys": keys},
			[]any{&p.Key, &p.Fingerprint, &p.Record, &p.Photograph}, func() error {
				got := p
				got.Fingerprint = slices.Clone(p.Fingerprint)
				out[p.Key], records = got, append(records, p.Record)
				return nil
			})
		if err != nil || family != models.Roster {
			return err
		}
		gone := map[int64]bool{}
		var record int64
		err = t.Each(ctx, "released_before", engine.Args{"records": records, "since": releasedSince}, []any{&record}, func() error {
			gone[record] = true
			return nil
		})
		for key, p := range out {
			if gone[p.Record] {
				delete(out, key)
			}
		}
		return err
	})
	return out, err
}

// PutPhotographs stores the pictures of claims. Bookings show from then on that they have one, or none. A claim that is gone
// meanwhile takes none. Where all claims have these pictures, nothing is written and no cache ends.
func (s *Store) PutPhotographs(ctx context.Context, family models.Family, list []Photograph) error {
	var sources, keys, hashes []string
	var stays []int16
	for _, p := range list {
		sources, keys, stays, hashes = append(sources, p.Source), append(keys, p.Key), append(stays, p.Stay), append(hashes, p.Hash)
	}
	args := engine.Args{"sources": sources, "keys": keys, "stays": stays, "hashes": hashes}
	var some bool
	err := s.db.Joint(ctx, func(tx *joint.Tx) error {
		return s.action(tx, family).One(ctx, "photographs_differ", args, &some)
	})
	if err != nil || !some {
		return err
	}
	// Whether a booking has a photograph is a part of what readers see, so bookings are resolved. Records of the department show
	// none.
	return s.db.Joint(ctx, func(tx *joint.Tx) error {
		t := s.action(tx, family)
		if err := t.Lock(ctx); err != nil {
			return err
		}
		var record int64
		var records []int64
		err := t.Each(ctx, "put_photographs", args, []any{&record}, func() error {
			if record != 0 {
				records = append(records, record)
			}
			return nil
		})
		slices.Sort(records)
		if records = slices.Compact(records); err != nil || len(records) == 0 || family != models.Roster {
			return err
		}
		_, err = t.resolve(ctx, records...)
		return err
	})
}

// EndPhotographs takes the photographs away that may not be kept any more: of withheld records, of people who asked for
// removal, of people released before the instant of their source, of sources that are not in allowed, those that turned out to be
// placeholders, and those that are not kept. It returns how many claims lost theirs. Where there is none, it writes nothing.
func (s *Store) EndPhotographs(ctx context.Context, family models.Family, allowed map[string]time.Time) (int, error) {
	var list []Photograph
	var p Photograph
	into := []any{&p.Source, &p.Key, &p.Stay}
	err := s.db.Joint(ctx, func(tx *joint.Tx) error {
		t, sources := s.action(tx, family), []string{}
		for id, since := range allowed {
			sources = append(sources, id)
			if family != models.Roster {
				continue
			}
			if err := t.Each(ctx, "photographs_of_released", engine.Args{"source": id, "since": since}, into, collect(&list, &p)); err != nil {
				return err
			}
		}
		return t.Each(ctx, "photographs_to_end", engine.Args{"family": family, "sources": sources}, into, collect(&list, &p))
	})
	if err != nil {
		return 0, err
	}
	return len(list), s.PutPhotographs(ctx, family, list)
}

// RemovePhotographs takes the photographs of a record away, by its key. The claims of records that were merged into it are its own.
func (s *Store) RemovePhotographs(ctx context.Context, family models.Family, record int64) error {
	var list []Photograph
	var p Photograph
	err := s.db.Joint(ctx, func(tx *joint.Tx) error {
		return s.action(tx, family).Each(ctx, "photographs_of_record", engine.Args{"record": record}, []any{&p.Source, &p.Key, &p.Stay}, collect(&list, &p))
	})
	if err != nil {
		return err
	}
	return s.PutPhotographs(ctx, family, list)
}

// RemovePicture takes a picture away from all claims of a family that have it. It returns how many had it.
func (s *Store) RemovePicture(ctx context.Context, family models.Family, hash string) (int, error) {
	var list []Photograph
	var p Photograph
	err := s.db.Joint(ctx, func(tx *joint.Tx) error {
		return s.action(tx, family).Each(ctx, "claims_of_picture", engine.Args{"hash": hash}, []any{&p.Source, &p.Key, &p.Stay}, collect(&list, &p))
	})
	if err != nil {
		return 0, err
	}
	return len(list), s.PutPhotographs(ctx, family, list)
}

// collect returns what adds the photograph that was scanned to a list (engine.Session, Each).
func collect(list *[]Photograph, p *Photograph) func() error {
	return func() error {
		*list = append(*list, *p)
		return nil
	}
}

// PeopleOfPicture returns how many people of a family have a picture, by their names.
func (s *Store) PeopleOfPicture(ctx context.Context, family models.Family, hash string) (n int, err error) {
	return n, s.db.Joint(ctx, func(tx *joint.Tx) error {
		return s.action(tx, family).One(ctx, "people_of_picture", engine.Args{"hash": hash}, &n)
	})
}
