package record

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/column"
)

// records reads the records of a family, whose model is R. Each read is defined once, as a query of GORM. Loaders and
// details let GORM run and scan it (find). Pages of lists let pgx do so (scan), because GORM takes twice as long for fifty
// rows: go test ./models/record -run xxx -bench Page. Building the statement takes 3 to 7 % of the page, so its text is not
// kept. TestGormAndPgxReadTheSame compares the two.
type records[R any] struct {
	table
	// keyOf returns the internal key of a record.
	keyOf func(*R) int64
	// places are where pgx puts the columns of the table, in their order. county makes a place of a county.
	places func(r *R, county func(**models.County) any) []any
	// complete sets what no column holds: the zones of times, which pgx leaves open, and a year of birth.
	complete func(*R)
}

// beside is a record and the number that is read beside it, as GORM scans them: of a page the total, else the generation.
type beside[R any] struct {
	N      int64
	Record R `gorm:"embedded"`
}

// find reads the records that q finds by GORM, and the number beside them, if q reads one. Without a record that is
// db.AnyGeneration.
func (r *records[R]) find(q *gorm.DB) (found []*R, n int64, err error) {
	var rows []*beside[R]
	if err := q.Where(r.column() + " is not null").Scan(&rows).Error; err != nil {
		return nil, 0, err
	}
	// Without a record the number is unknown, and such a result is not cached where generations count.
	n = db.AnyGeneration
	found = make([]*R, len(rows))
	for i, each := range rows {
		r.complete(&each.Record)
		found[i], n = &each.Record, each.N
	}
	return found, n, nil
}

// scan reads what q finds by pgx, and the number beside it, which is known also where there is no record but a row of nulls.
// on is where it runs: the pool, or a transaction.
func (r *records[R]) scan(ctx context.Context, s *Store, on querier, q *gorm.DB) (found []*R, n int64, err error) {
	sql, args, err := db.Text(q)
	if err != nil {
		return nil, 0, err
	}
	rows, err := on.Query(ctx, sql, args...)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	found = []*R{}
	county := func(to **models.County) any { return &place{s.Counties(), to} }
	for rows.Next() {
		one := new(R)
		places := append([]any{&n}, r.places(one, county)...)
		none := rows.RawValues()[1] == nil // the key
		if none {
			clear(places[1:])
		}
		if err := rows.Scan(places...); err != nil {
			return nil, 0, err
		}
		if !none {
			r.complete(one)
			found = append(found, one)
		}
	}
	return found, n, rows.Err()
}

// querier is a pool or a transaction of pgx.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// place is where pgx puts the number of a county.
type place struct {
	all *models.Counties
	to  **models.County
}

// ScanInt64 looks the county up. Every number in the database is one.
func (p *place) ScanInt64(number pgtype.Int8) error {
	*p.to = p.all.ByID(int16(number.Int64)) //nolint:gosec // a smallint
	return nil
}

// inZone shows times in a zone; nil is unknown.
func inZone(zone *time.Location, times ...*time.Time) {
	for _, t := range times {
		if t != nil {
			*t = t.In(zone)
		}
	}
}

// load returns how loaders read published records: by GORM.
func (r *records[R]) load(s *Store) db.Fetch[int64, *R] {
	return func(ctx context.Context, keys []int64) (map[int64]*R, int64, error) {
		return r.mapped(r.find(r.byKeys(ctx, s, keys)))
	}
}

// loadPage returns how pages of lists read published records: by pgx.
func (r *records[R]) loadPage(s *Store) db.Fetch[int64, *R] {
	return func(ctx context.Context, keys []int64) (map[int64]*R, int64, error) {
		return r.mapped(r.scan(ctx, s, s.Pool(), r.byKeys(ctx, s, keys)))
	}
}

// mapped returns records by their keys.
func (r *records[R]) mapped(found []*R, gen int64, err error) (map[int64]*R, int64, error) {
	if err != nil {
		return nil, 0, fmt.Errorf("read records of %s: %w", r.family, err)
	}
	return db.ByKey(found, r.keyOf), gen, nil
}

// named returns how published records are read by their public ids, which a column holds and idOf returns, and those into
// which a record with such an id was merged. byKeys reads records by key.
func (r *records[R]) named(s *Store, public string, idOf func(*R) string,
	byKeys func(context.Context, []int64) (map[int64]*R, error),
) db.Fetch[string, *R] {
	return func(ctx context.Context, ids []string) (map[string]*R, int64, error) {
		list, _, err := r.find(r.published(ctx, s, s.Now()).Where(public+" = any (?)", column.Array[string](ids)))
		if err != nil {
			return nil, 0, fmt.Errorf("read records of %s: %w", r.family, err)
		}
		found := db.ByKey(list, idOf)
		for _, id := range ids { // merged ids are rare, so they are looked up one by one
			if found[id] != nil {
				continue
			}
			_, key, merged, err := s.mergedInto(ctx, r.family, id)
			if err != nil {
				return nil, 0, err
			}
			if !merged {
				continue
			}
			into, err := byKeys(ctx, []int64{key})
			if err != nil {
				return nil, 0, err
			}
			if one := into[key]; one != nil {
				found[id] = one
			}
		}
		return found, 0, nil
	}
}
