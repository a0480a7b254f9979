package link

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// findDueCases finds the cases that changed, that an operator decided of, or whose record changed.
func (r *Run) findDueCases(ctx context.Context, tx pgx.Tx, last linkProgress) error {
	query, args := `select id from court_cases order by id`, []any{}
	if !r.Full {
		query = `select id from court_cases where gen > $1
 union select c.id from court_verdicts v join court_cases c on ` + db.OfVerdict + ` where v.seq > $2
 union select l.case_id from court_links l join changed n on n.cid = l.cid order by 1`
		args = []any{last.courts, last.courtVerdict}
	}
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("find due cases: %w", err)
	}
	if r.DueCases, err = pgx.CollectRows(rows, pgx.RowTo[int64]); err != nil {
		return fmt.Errorf("find due cases: %w", err)
	}
	return nil
}

// CasesOfBookings gives the keys of the cases linked with some bookings.
func (r *Run) CasesOfBookings(ctx context.Context, rids []int64) ([]int64, error) {
	rows, err := r.store.Pool().Query(ctx, `select distinct case_id from court_links where rid = any($1)`, rids)
	if err != nil {
		return nil, fmt.Errorf("find cases of bookings: %w", err)
	}
	out, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, fmt.Errorf("find cases of bookings: %w", err)
	}
	return out, nil
}

// ByCounty sorts cases by their county, so that a county's bookings are read once for many of them.
func (r *Run) ByCounty(ctx context.Context, cases []int64) ([]int64, error) {
	if len(cases) < 2 {
		return cases, nil
	}
	rows, err := r.store.Pool().Query(ctx, `select id from court_cases where id = any($1) order by county_id, id`, cases)
	if err != nil {
		return nil, fmt.Errorf("sort cases: %w", err)
	}
	out, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, fmt.Errorf("sort cases: %w", err)
	}
	return out, nil
}

// Faces gives those of some bookings that are published.
func (r *Run) Faces(ctx context.Context, rids []int64) ([]models.LinkFace, error) {
	rows, err := r.store.Pool().Query(ctx, `select b.rid, b.county_id, b.name, `+born("b")+` from bookings b where b.rid = any($1) and b.withheld is null`, rids)
	if err != nil {
		return nil, fmt.Errorf("read changed bookings: %w", err)
	}
	out, err := pgx.CollectRows(rows, pgx.RowToStructByPos[models.LinkFace])
	if err != nil {
		return nil, fmt.Errorf("read changed bookings: %w", err)
	}
	return out, nil
}

// EachCase yields the published cases of some counties (nil: of all), in no order. The face is reused
// between calls.
func (r *Run) EachCase(ctx context.Context, counties []int16, yield func(*models.LinkFace)) error {
	return r.eachFace(ctx, `select c.id, c.county_id, c.defendant, `+born("c")+` from court_cases c where c.withheld is null`, `c.county_id`, counties, yield)
}

// EachStay yields the published bookings of a county, in no order. The face is reused between calls.
func (r *Run) EachStay(ctx context.Context, county int16, yield func(*models.LinkFace)) error {
	return r.eachFace(ctx, `select b.rid, b.county_id, b.name, `+born("b")+` from bookings b where b.withheld is null`, `b.county_id`, []int16{county}, yield)
}

func (r *Run) eachFace(ctx context.Context, query, column string, counties []int16, yield func(*models.LinkFace)) error {
	var args []any
	if counties != nil {
		query += ` and ` + column + ` = any($1)`
		args = append(args, counties)
	}
	var f models.LinkFace
	if err := r.read(ctx, query, []any{&f.Key, &f.County, &f.Name, &f.Born}, func() { yield(&f) }, args...); err != nil {
		return fmt.Errorf("read people of counties: %w", err)
	}
	return nil
}

// linkCaseColumns are those of LinkCase.
var linkCaseColumns = `c.id, c.county_id, c.defendant, ` + born("c") + `, coalesce(c.booking_key, ''),
 array(select c.offense where c.offense <> '' union all (select concat_ws(' ', k.statute, k.description) from case_charges k where k.case_id = c.id order by k.seq limit 50)),
 array(select v.person from court_verdicts v where ` + db.OfVerdict + ` and v.family = 'roster' and v.verdict = 'dismissed'),
 array(select v.person from court_verdicts v where ` + db.OfVerdict + ` and v.family = 'corrections' and v.verdict = 'dismissed')`

// linkStayColumns are those of LinkStay.
var linkStayColumns = `b.rid, b.id, b.name, ` + born("b") + `,
 b.charges || array(select concat_ws(' ', k.statute, k.description) from booking_charges k where k.rid = b.rid and k.statute is not null order by k.seq limit 50),
 array(select g.booking_key from sightings g where g.rid = b.rid), o.gdc_id, case when o.gdc_id is not null then ` + born("o") + ` end, case when o.gdc_id is not null then l.confidence end`

const linkStayTables = ` from bookings b left join gdc_links l on l.rid = b.rid left join corrections_records o on o.cid = l.cid and o.withheld is null`

// Cases gives those of some cases that are published, by county.
func (r *Run) Cases(ctx context.Context, keys []int64) ([]models.LinkCase, error) {
	var out []models.LinkCase
	err := r.store.InTx(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `select `+linkCaseColumns+` from court_cases c where c.id = any($1) and c.withheld is null order by c.county_id, c.id`, keys)
		if err != nil {
			return err
		}
		out, err = pgx.CollectRows(rows, pgx.RowToStructByPos[models.LinkCase])
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read cases to link: %w", err)
	}
	return out, nil
}

// Stays gives those of some bookings that are published.
func (r *Run) Stays(ctx context.Context, rids []int64) (map[int64]*models.LinkStay, error) {
	rows, err := r.store.Pool().Query(ctx, `select `+linkStayColumns+linkStayTables+` where b.rid = any($1) and b.withheld is null`, rids)
	if err != nil {
		return nil, fmt.Errorf("read bookings near cases: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[models.LinkStay])
	if err != nil {
		return nil, fmt.Errorf("read bookings near cases: %w", err)
	}
	out := make(map[int64]*models.LinkStay, len(list))
	for _, s := range list {
		out[s.RID] = s
	}
	return out, nil
}
