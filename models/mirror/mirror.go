package mirror

import (
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/sqlfile"
)

// Bounds of a page of changes. A change is small, and a client that begins reads all records by it.
const (
	DefaultFirst = 100
	MaxFirst     = 1000
)

// Kind is what a change says of a record.
type Kind string

// The kinds of changes.
const (
	Changed Kind = "changed" // the record is published, and is new or became another
	Gone    Kind = "gone"    // it is not published any more
)

// Change is one record that changed or went.
type Change struct {
	Family models.Family
	Kind   Kind
	// ID is the public id, as GraphQL has it.
	ID string
	// MergedInto is the public id of the record that it was found to be, if that one is published. Changed records have none.
	MergedInto *string
	// Key is the internal key of the record.
	Key int64
}

// Page is some changes, by family and within a family the oldest first.
type Page struct {
	Changes  []*Change
	PageInfo models.PageInfo // whose cursor is there on an empty page too
}

// Ask is what a caller wants of the changes.
type Ask struct {
	// Families to follow; empty: those of the cursor, or all three.
	Families []models.Family
	// After is the cursor of an earlier page; empty: begin with all published records.
	After string
	First int
}

//go:embed sql/*.sql
var files embed.FS

// family is what the statements of a family differ in. key is the internal key and id the public one.
type family struct{ published, reachable, key, id string }

// families are the followed ones, in the order of a page.
var families = []models.Family{models.Roster, models.Courts, models.Corrections}

var statements = func() map[models.Family]sqlfile.Set {
	all, out := sqlfile.Load(files), map[models.Family]sqlfile.Set{}
	for f, t := range map[models.Family]family{
		models.Roster:      {"published_bookings", "reachable_bookings", "rid", "id"},
		models.Courts:      {"published_cases", "reachable_cases", "id", "'case-' || (select slug from counties c where c.id = county_id) || '-' || id"},
		models.Corrections: {"published_corrections", "reachable_corrections", "cid", "'gdc-' || gdc_id"},
	} {
		out[f] = all.With("{published}", t.published, "{reachable}", t.reachable, "{key}", t.key, "{id}", t.id)
	}
	return out
}()

// Store reads changes. It is safe for concurrent use.
type Store struct{ *db.DB }

// New returns a Store.
func New(d *db.DB) *Store { return &Store{d} }

// ChangesAfter returns the changes after a cursor. What it returns is no newer than the caches of this process, so a record
// that is read here afterwards is at least as new as its change. Errors: models.Error for a cursor that is none of these
// families and for bounds, CodeCursorExpired for one that is older than the tombstones that are kept.
func (s *Store) ChangesAfter(ctx context.Context, a Ask) (*Page, error) {
	if a.First < 1 || a.First > MaxFirst {
		return nil, models.Invalid("first", fmt.Sprintf("first must be between 1 and %d", MaxFirst))
	}
	at, err := s.open(a)
	if err != nil {
		return nil, err
	}
	out := &Page{Changes: []*Change{}}
	// One snapshot for generations and records: whatever a generation brought is in it as a whole.
	err = pgx.BeginTxFunc(ctx, s.Pool(), pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		known, err := s.generations(ctx, tx)
		if err != nil {
			return err
		}
		for i := range at {
			if at[i], err = at[i].begun(known[at[i].Family]); err != nil {
				return err
			}
		}
		for i := range at {
			if err := s.read(ctx, tx, &at[i], known[at[i].Family], a.First, out); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, db.Known("read changes", err)
	}
	out.PageInfo.End = func() (string, error) { return s.SealCursor(list, at) }
	return out, nil
}

// read appends the changes of a family after its position, as far as the page has room, and moves the position behind them.
func (s *Store) read(ctx context.Context, tx pgx.Tx, at *position, known generation, first int, out *Page) error {
	room := first - len(out.Changes)
	went := *at
	if went.Gen < went.Since { // what went before the caller began it never saw
		went.Gen, went.Key = went.Since, whole
	}
	rows, err := tx.Query(ctx, statements[at.Family].Get("changes"), pgx.StrictNamedArgs{
		"family": at.Family, "gen": at.Gen, "key": at.Key, "gone_gen": went.Gen, "gone_key": went.Key, "upto": known.shown, "n": room + 1,
	})
	if err != nil {
		return err
	}
	var (
		c    Change
		gen  int64
		gone bool
		more bool
	)
	_, err = pgx.ForEachRow(rows, []any{&gen, &c.Key, &gone, &c.ID, &c.MergedInto}, func() error {
		if more = room == 0; more {
			return nil
		}
		room--
		c.Family, c.Kind = at.Family, Changed
		if gone {
			c.Kind = Gone
		}
		out.Changes = append(out.Changes, new(c))
		at.Gen, at.Key = gen, c.Key
		return nil
	})
	if err != nil {
		return fmt.Errorf("changes of %s: %w", at.Family, err)
	}
	if out.PageInfo.HasNextPage = out.PageInfo.HasNextPage || more; !more {
		at.finish(known)
	}
	return nil
}

// generation is how far the changes of a family go.
type generation struct {
	gen       int64 // newest that is committed
	shown     int64 // newest that the caches of this process know, too
	forgotten int64 // newest of which a tombstone may be missing
}

// generations returns how far each family goes. What the caches do not know yet is left for the next call, which is
// milliseconds later: otherwise a client could learn of a change and then read the record as it was before.
func (s *Store) generations(ctx context.Context, tx pgx.Tx) (map[models.Family]generation, error) {
	view, cached := s.View()
	rows, err := tx.Query(ctx, statements[models.Roster].Get("generations"))
	if err != nil {
		return nil, err
	}
	var (
		f   models.Family
		g   generation
		out = map[models.Family]generation{}
	)
	_, err = pgx.ForEachRow(rows, []any{&f, &g.gen, &g.forgotten}, func() error {
		if g.shown = g.gen; cached {
			g.shown = min(g.gen, view.Of(f))
		}
		out[f] = g
		return nil
	})
	return out, err
}

// asked returns the families in the order of a page, each once.
func asked(list []models.Family) ([]models.Family, error) {
	for _, f := range list {
		if !slices.Contains(families, f) {
			return nil, models.Invalid("families", fmt.Sprintf("families cannot be %q; choose from %s", f, strings.Join([]string{string(models.Roster), string(models.Courts), string(models.Corrections)}, ", ")))
		}
	}
	if len(list) == 0 {
		return families, nil
	}
	return slices.DeleteFunc(slices.Clone(families), func(f models.Family) bool { return !slices.Contains(list, f) }), nil
}
