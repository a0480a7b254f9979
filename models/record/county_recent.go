package record

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// CountiesSince returns how many people each county booked and released since a moment, those with the most bookings first.
// Counties that did neither are left out. It reads two ranges of an index for each county.
func (s *Store) CountiesSince(ctx context.Context, since time.Time) ([]models.CountyFlow, error) {
	rows, err := s.Pool().Query(ctx, statements[models.Roster].Get("county_recent"), pgx.NamedArgs{"since": since})
	if err != nil {
		return nil, fmt.Errorf("read figures of counties: %w", err)
	}
	out, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) (f models.CountyFlow, err error) {
		var id int16
		err = r.Scan(&id, &f.Booked, &f.Released)
		f.County = s.Counties().ByID(id)
		return f, err
	})
	if err != nil {
		return nil, fmt.Errorf("read figures of counties: %w", err)
	}
	return out, nil
}
