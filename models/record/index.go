package record

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// unknownFacet is the status unknown of cases and corrections records in IndexRow.Facets.
const unknownFacet = 4

// knownFacet narrows a wanted status to what is known: any is all but unknown, and nothing is
// both known and unknown.
func knownFacet(want int16) int16 {
	switch want {
	case 0:
		return -unknownFacet
	case unknownFacet:
		return unknownFacet + 1
	default:
		return want
	}
}

// since gives an instant as IndexQuery.Since; all records changed after 1970.
func since(t *time.Time) int64 {
	if t == nil {
		return 0
	}
	return max(t.UnixMicro(), 0)
}

// UseIndex makes list queries of a family go through ix. Call it before the store serves.
func (s *Store) UseIndex(f models.Family, ix models.ListIndex) { s.index[f] = ix }

// indexRowSQL is, by family, the columns of IndexRows and the list order.
var indexRowSQL = map[models.Family]struct{ columns, order string }{
	models.Roster: {`select rid, (extract(epoch from last_change) * 1000000)::bigint, (extract(epoch from booked_at) * 1000000)::bigint, id, name_key,
 county_id, case status when 'booked' then 1 else 2 end::smallint, 0::smallint, withheld is not null, gen
 from bookings`, `booked_at desc, id desc`},
	models.Courts: {`select id, (extract(epoch from last_change) * 1000000)::bigint, (filed_date - date '1970-01-01')::bigint, case_number || chr(1) || lpad(county_id::text, 3, '0') || lpad(id::text, 19, '0'), name_key,
 county_id, array_position('{state,superior,magistrate,warrants}', court_type)::smallint, array_position('{pending,closed,warrant,unknown}', status)::smallint, withheld is not null, gen
 from court_cases`, `filed_date desc, case_number, county_id, id`},
	models.Corrections: {`select cid, (extract(epoch from last_change) * 1000000)::bigint, 0::bigint, name_key || chr(1) || gdc_id, name_key,
 array_position('{offender,parolee,sex_offender}', category)::smallint, array_position('{incarcerated,paroled,released,unknown}', status)::smallint, 0::smallint, withheld is not null, gen
 from corrections_records`, `name_key, gdc_id`},
}

// goneRowSQL reads the keys of records that were deleted after generation $1.
const goneRowSQL = ` union all select record, 0, 0, '', '', 0::smallint, 0::smallint, 0::smallint, true, gen
 from gone_records where gen > $1 and family = $2`

// IndexRows yields every published record of a family in list order (since 0), or each record
// that changed after generation since in any order, deleted ones included, and gives the
// generation that the answer speaks of. The row is reused between calls.
func (s *Store) IndexRows(ctx context.Context, f models.Family, since int64, yield func(*models.IndexRow) error) (int64, error) {
	sql, args := indexRowSQL[f].columns+` where withheld is null order by `+indexRowSQL[f].order, []any{}
	if since > 0 {
		sql, args = indexRowSQL[f].columns+` where gen > $1`+goneRowSQL, []any{since, f}
	}
	var gen int64
	err := pgx.BeginTxFunc(ctx, s.Pool(), pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `set local statement_timeout = 0`); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, `select gen from generations where family = $1`, f).Scan(&gen); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, sql, args...)
		if err != nil {
			return err
		}
		var r models.IndexRow
		_, err = pgx.ForEachRow(rows, []any{&r.Key, &r.Changed, &r.Order, &r.Tie, &r.Words, &r.Facets[0], &r.Facets[1], &r.Facets[2], &r.Gone, &r.Gen},
			func() error { return yield(&r) })
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("read index rows of %s: %w", f, err)
	}
	return gen, nil
}

// Generation is the number of committed changes of a family.
func (s *Store) Generation(ctx context.Context, f models.Family) (int64, error) {
	var gen int64
	err := s.Pool().QueryRow(ctx, `select gen from generations where family = $1`, f).Scan(&gen)
	if err != nil {
		return 0, fmt.Errorf("read generation of %s: %w", f, err)
	}
	return gen, nil
}
