package court

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/snapshot"
	"rollcall/resolve"
	"rollcall/resolve/court"
)

// storedCase is a case as it is stored. A merged one is only a number that leads to another.
type storedCase struct {
	id       int64
	key      snapshot.CaseKey
	merged   bool
	lastSeen time.Time
	court.State
}

// storedCases loads cases with their parts, by key. decisions are those in force about them: a lifted ground is known by its
// decision alone.
func storedCases(ctx context.Context, s *engine.Session, ids []int64, decisions map[int64][]resolve.Decision) (map[int64]*storedCase, error) {
	rows, err := s.Query(ctx, "cases", engine.Args{"records": ids})
	if err != nil {
		return nil, fmt.Errorf("read cases: %w", err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*storedCase, error) { return scanCase(row, decisions) })
	if err != nil {
		return nil, fmt.Errorf("read cases: %w", err)
	}
	out := make(map[int64]*storedCase, len(list))
	for _, c := range list {
		out[c.id] = c
	}
	for _, load := range []func(context.Context, *engine.Session, []int64, map[int64]*storedCase) error{loadCharges, loadHearings, loadDispositions} {
		if err := load(ctx, s, ids, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// scanCase reads the columns of a case without its parts.
func scanCase(row pgx.CollectableRow, decisions map[int64][]resolve.Decision) (*storedCase, error) {
	c := &storedCase{}
	var dob, filed pgtype.Date
	var withheld *string
	var booking *int64
	var since *time.Time
	err := row.Scan(&c.id, &c.key.CountyID, &c.key.CourtType, &c.key.Number, &c.key.Party, &c.Source, &c.Defendant, &dob, &c.BirthYear, &c.BookingKey,
		&c.Offense, &filed, &c.FiledInferred, &c.BailCents,
		&c.Status, &c.StatusText, &c.Judge, &c.HearingLink, &withheld, &booking, &since, &c.merged, &c.lastSeen)
	if err != nil {
		return nil, err
	}
	c.DOB, c.Filed, c.lastSeen = engine.DayOf(dob), models.DateOf(filed.Time), c.lastSeen.UTC()
	var because *resolve.Ref
	if booking != nil {
		because = &resolve.Ref{Family: models.Roster, Record: *booking}
	}
	c.Visibility = resolve.Before(engine.ReasonOf(withheld), because, engine.UTC(since), decisions[c.id])
	return c, nil
}

// loadCharges loads the charges of cases, in their order.
func loadCharges(ctx context.Context, s *engine.Session, ids []int64, into map[int64]*storedCase) error {
	var id int64
	var c snapshot.CaseCharge
	var offense, arrest, disposition pgtype.Date
	to := []any{&id, &c.Seq, &c.Description, &c.Statute, &c.Severity, &c.Disposition, &offense, &arrest, &disposition}
	return s.Each(ctx, "case_charges", engine.Args{"records": ids}, to, func() error {
		c.OffenseDate, c.ArrestDate, c.DispositionDate = day(offense), day(arrest), day(disposition)
		into[id].Charges = append(into[id].Charges, c)
		return nil
	})
}

// day returns a day that may be unknown, which is the zero one.
func day(d pgtype.Date) models.Date {
	if known := engine.DayOf(d); known != nil {
		return *known
	}
	return models.Date{}
}

// loadHearings loads the hearings of cases. Event stays empty: what the court calls a hearing is in the claims.
func loadHearings(ctx context.Context, s *engine.Session, ids []int64, into map[int64]*storedCase) error {
	var id int64
	var date pgtype.Date
	var h court.Hearing
	to := []any{&id, &h.ID, &date, &h.Time, &h.StartsAt, &h.Kind, &h.Judge, &h.Location, &h.Link, &h.Cancelled, &h.SaidAt}
	return s.Each(ctx, "case_hearings", engine.Args{"records": ids}, to, func() error {
		h.Date, h.StartsAt, h.SaidAt = models.DateOf(date.Time), h.StartsAt.UTC(), h.SaidAt.UTC()
		into[id].Hearings = append(into[id].Hearings, h)
		return nil
	})
}

// loadDispositions loads what was decided in cases, in its order.
func loadDispositions(ctx context.Context, s *engine.Session, ids []int64, into map[int64]*storedCase) error {
	var id int64
	var date pgtype.Date
	var d snapshot.DispositionFacts
	return s.Each(ctx, "case_dispositions", engine.Args{"records": ids}, []any{&id, &d.Seq, &date, &d.Outcome, &d.Sentence}, func() error {
		d.Date = models.DateOf(date.Time)
		into[id].Dispositions = append(into[id].Dispositions, d)
		return nil
	})
}
