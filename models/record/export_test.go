package record

import (
	"context"
	"time"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/sqlfile"
)

// Statements are those of a family, for the test that checks them.
func Statements(f models.Family) sqlfile.Set { return statements[f] }

// SeenThen reads when records had been seen as far as rollcall knew at an instant.
func SeenThen(ctx context.Context, s *Store, f models.Family, keys []int64, at time.Time) error {
	of := map[int64]*seen{}
	for _, k := range keys {
		of[k] = &seen{last: new(time.Time)}
	}
	return s.seenThen(ctx, f, at, of)
}

// Read is a read of records that both GORM and pgx can execute.
type Read[R any] struct {
	// Build returns the text of the statement.
	Build func() (string, []any, error)
	// Gorm and Pgx execute it: records, and the total or the generation.
	Gorm, Pgx func() ([]*R, int64, error)
}

// BookingList is the page of a list of bookings by SQL.
func BookingList(ctx context.Context, s *Store, f models.RosterFilter, p models.Page) (Read[models.Booking], error) {
	q, err := s.rosterQuery(f)
	if err != nil {
		return Read[models.Booking]{}, err
	}
	return readOf(ctx, s, s.bookingList(ctx, q, p, nil)), nil
}

// CourtList is the page of a list of cases by SQL.
func CourtList(ctx context.Context, s *Store, f models.CourtFilter, p models.Page) (Read[models.CourtCase], error) {
	q, err := s.courtQuery(f)
	if err != nil {
		return Read[models.CourtCase]{}, err
	}
	return readOf(ctx, s, s.courtList(ctx, q, p, nil)), nil
}

// CorrectionsList is the page of a list of corrections records by SQL.
func CorrectionsList(ctx context.Context, s *Store, f models.CorrectionsFilter, p models.Page) (Read[models.CorrectionsRecord], error) {
	q := correctionsQuery{filter: f}
	var err error
	if q.words, q.named, err = db.NameWords(f.Name); err != nil {
		return Read[models.CorrectionsRecord]{}, err
	}
	return readOf(ctx, s, s.correctionsList(ctx, q, p, nil)), nil
}

func readOf[R any](ctx context.Context, s *Store, l *list[R]) Read[R] {
	return Read[R]{
		Build: func() (string, []any, error) { return db.Text(l.query(ctx, s)) },
		Gorm:  func() ([]*R, int64, error) { return l.find(l.query(ctx, s)) },
		Pgx:   func() ([]*R, int64, error) { return l.scan(ctx, s, s.Pool(), l.query(ctx, s)) },
	}
}

// BookingsByKeys reads bookings by key.
func BookingsByKeys(ctx context.Context, s *Store, keys []int64) Read[models.Booking] {
	return byKeysOf(ctx, s, &rosterTable, keys)
}

// CasesByKeys reads cases by key.
func CasesByKeys(ctx context.Context, s *Store, keys []int64) Read[models.CourtCase] {
	return byKeysOf(ctx, s, &courtTable, keys)
}

// CorrectionsByKeys reads corrections records by key.
func CorrectionsByKeys(ctx context.Context, s *Store, keys []int64) Read[models.CorrectionsRecord] {
	return byKeysOf(ctx, s, &correctionsTable, keys)
}

func byKeysOf[R any](ctx context.Context, s *Store, r *records[R], keys []int64) Read[R] {
	return Read[R]{
		Build: func() (string, []any, error) { return db.Text(r.byKeys(ctx, s, keys)) },
		Gorm:  func() ([]*R, int64, error) { return r.find(r.byKeys(ctx, s, keys)) },
		Pgx:   func() ([]*R, int64, error) { return r.scan(ctx, s, s.Pool(), r.byKeys(ctx, s, keys)) },
	}
}
