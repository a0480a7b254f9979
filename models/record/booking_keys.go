package record

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// peopleChunk is how many bookings one statement of PeopleBookedSince reads.
const peopleChunk = 5000

// PeopleBookedSince gives those of the published bookings since then to see, one after another, newest
// booking first, without keeping them: a state's month is some tens of thousands. Each statement reads so many
// along an index. county narrows.
func (s *Store) PeopleBookedSince(ctx context.Context, since time.Time, county *models.County, see func(*models.BookedPerson)) error {
	narrowed, args := "", []any{since, nil, nil, peopleChunk}
	if county != nil {
		narrowed, args = " and b.county_id = $5", append(args, county.ID)
	}
	for {
		rows, err := s.Pool().Query(ctx, `select b.rid, b.county_id, b.name, b.dob, b.birth_year, b.booked_at, b.id from bookings b
 where b.booked_at >= $1 and (b.booked_at, b.id) < (coalesce($2, 'infinity'::timestamptz), coalesce($3::text, '')) and b.withheld is null`+narrowed+`
 order by b.booked_at desc, b.id desc limit $4`, args...)
		if err != nil {
			return fmt.Errorf("read people booked: %w", err)
		}
		var (
			p    models.BookedPerson
			of   int16
			born *int16
			id   string
			n    int
		)
		_, err = pgx.ForEachRow(rows, []any{&p.RID, &of, &p.Name, &p.Dob, &born, &p.BookedAt, &id}, func() error {
			p.County, p.BirthYear = s.Counties().ByID(of).Slug, db.Year(born)
			see(&p)
			p.Dob = nil
			n++
			return nil
		})
		if err != nil {
			return fmt.Errorf("read people booked: %w", err)
		}
		if n < peopleChunk {
			return nil
		}
		args[1], args[2] = p.BookedAt, id
	}
}
