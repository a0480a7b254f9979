package link

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// EachRecord yields the published corrections records as of the begin of the run, so that all parts of a run
// compare with the same ones. The record is reused between calls.
func (r *Run) EachRecord(ctx context.Context, yield func(*models.LinkRecord)) error {
	var rec models.LinkRecord
	err := r.read(ctx, `select gdc_id, name, born from linked_records order by cid`, nil,
		[]any{&rec.GdcID, &rec.Name, &rec.Born}, func() { yield(&rec) })
	if err != nil {
		return fmt.Errorf("read records to link: %w", err)
	}
	return nil
}

// EachBooking yields every published booking, in no order and without Dismissed. The booking is reused
// between calls.
func (r *Run) EachBooking(ctx context.Context, yield func(*models.LinkBooking)) error {
	var b models.LinkBooking
	err := r.read(ctx, statements.Get("all_bookings"), nil, []any{&b.RID, &b.Name, &b.Born}, func() { yield(&b) })
	if err != nil {
		return fmt.Errorf("read bookings to link: %w", err)
	}
	return nil
}

// EachCase yields the defendants of the published cases of some counties, in no order; nil means all
// counties. The value is reused between calls.
func (r *Run) EachCase(ctx context.Context, counties []int16, yield func(*models.LinkFace)) error {
	if counties == nil {
		return r.eachFace(ctx, "defendants", nil, yield)
	}
	return r.eachFace(ctx, "defendants_in_counties", pgx.NamedArgs{"counties": counties}, yield)
}

// EachStay yields the people of the published bookings of a county, in no order. The value is reused between
// calls.
func (r *Run) EachStay(ctx context.Context, county int16, yield func(*models.LinkFace)) error {
	return r.eachFace(ctx, "faces_in_county", pgx.NamedArgs{"county": county}, yield)
}

// eachFace yields what the named statement finds: key, county, name and birth.
func (r *Run) eachFace(ctx context.Context, name string, args pgx.NamedArgs, yield func(*models.LinkFace)) error {
	var f models.LinkFace
	if err := r.read(ctx, statements.Get(name), args, []any{&f.Key, &f.County, &f.Name, &f.Born}, func() { yield(&f) }); err != nil {
		return fmt.Errorf("read people of counties: %w", err)
	}
	return nil
}

// read streams a large answer through pgx, without the statement time-out, which is meant for requests. GORM
// would hold all of it in memory.
func (r *Run) read(ctx context.Context, sql string, args pgx.NamedArgs, targets []any, yield func()) error {
	return r.store.InTx(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, sql, args)
		if err != nil {
			return err
		}
		_, err = pgx.ForEachRow(rows, targets, func() error {
			yield()
			return nil
		})
		return err
	})
}

// Bookings returns those of some bookings that matching may link: published, and without a pinned link.
func (r *Run) Bookings(ctx context.Context, rids []int64) ([]models.LinkBooking, error) {
	out, err := all[models.LinkBooking](ctx, r.store.Pool(), "bookings_to_link", pgx.NamedArgs{"bookings": rids})
	if err != nil {
		return nil, fmt.Errorf("read bookings to link: %w", err)
	}
	return out, nil
}

// Faces returns those of some bookings that are published, with what a first comparison needs.
func (r *Run) Faces(ctx context.Context, rids []int64) ([]models.LinkFace, error) {
	out, err := all[models.LinkFace](ctx, r.store.Pool(), "faces_of_bookings", pgx.NamedArgs{"bookings": rids})
	if err != nil {
		return nil, fmt.Errorf("read changed bookings: %w", err)
	}
	return out, nil
}

// Cases returns those of some cases that are published, by county.
func (r *Run) Cases(ctx context.Context, cases []int64) (out []models.LinkCase, err error) {
	err = r.store.InTx(ctx, func(tx pgx.Tx) error {
		out, err = readCases(ctx, tx, cases, false)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read cases to link: %w", err)
	}
	return out, nil
}

// readCases reads cases; withheldToo is for the explanations that operators ask for.
func readCases(ctx context.Context, on querier, cases []int64, withheldToo bool) ([]models.LinkCase, error) {
	return all[models.LinkCase](ctx, on, "cases_to_link", pgx.NamedArgs{"cases": cases, "withheld_too": withheldToo})
}

// Stays returns those of some bookings that are published, by key, with what the comparison with a case
// needs.
func (r *Run) Stays(ctx context.Context, rids []int64) (map[int64]*models.LinkStay, error) {
	list, err := readStays(ctx, r.store.Pool(), rids, false)
	if err != nil {
		return nil, fmt.Errorf("read bookings near cases: %w", err)
	}
	out := make(map[int64]*models.LinkStay, len(list))
	for i := range list {
		out[list[i].RID] = &list[i]
	}
	return out, nil
}

// readStays reads bookings; withheldToo as in readCases.
func readStays(ctx context.Context, on querier, rids []int64, withheldToo bool) ([]models.LinkStay, error) {
	return all[models.LinkStay](ctx, on, "stays_to_link", pgx.NamedArgs{"bookings": rids, "withheld_too": withheldToo})
}
