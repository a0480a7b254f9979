package reconcile

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// fromBooking are the columns of a staged row that a release which names only a key does not tell.
const fromBooking = `county_id, name, name_key, dob, birth_year, booked_at, charges, bond_cents, withheld, age_doubt, person_key, locator, statutes, severities, bonds, bond_texts, dispositions`

// completeReleases gives rows that tell of a release by the key alone what is known of their bookings: by a
// row of the same documents, else by the tables. From there on they are rows like any other. A release of
// nobody who is known waits for his booking.
func (st *staging) completeReleases(ctx context.Context) error {
	err := st.exec(ctx, "complete releases by their documents", `update staged s set key_only = false, (`+fromBooking+`) = (select `+fromBooking+` from staged k
  where k.booking_key = s.booking_key and not k.key_only order by k.seen_at desc, k.ord desc limit 1)
 where s.key_only and exists (select from staged k where k.booking_key = s.booking_key and not k.key_only)`)
	if err != nil {
		return err
	}
	err = st.exec(ctx, "complete releases by what is known", `update staged s set key_only = false, completed = true, (`+fromBooking+`) = (
 select b.county_id, b.name, b.name_key, b.dob, b.birth_year, b.booked_at, b.charges, b.bond_cents, b.withheld, null, g.person_key, g.locator, c.statutes, c.severities, c.bonds, c.bond_texts, c.dispositions
  from sightings g join bookings b on b.rid = g.rid cross join lateral (select array_agg(coalesce(c.statute, '') order by seq) as statutes, array_agg(coalesce(c.severity, '') order by seq) as severities,
   array_agg(c.bond_cents order by seq) as bonds, array_agg(coalesce(c.bond_text, '') order by seq) as bond_texts, array_agg(coalesce(c.disposition, '') order by seq) as dispositions
   from booking_charges c where c.rid = b.rid) c where g.source_id = $1 and g.booking_key = s.booking_key)
 where s.key_only and exists (select from sightings g where g.source_id = $1 and g.booking_key = s.booking_key)`, st.SourceID)
	if err != nil {
		return err
	}
	// A release told by the day alone, on the day of the booking, is not before it.
	err = st.exec(ctx, "read the days of releases", `update staged set released_at = booked_at where released_at < booked_at and not key_only
 and georgia_clock(released_at) = georgia_clock(booked_at)::date`)
	if err != nil {
		return err
	}
	// In the night in which an hour happens twice, only its second time may lie behind the booking.
	err = st.exec(ctx, "read releases of the repeated hour", `update staged set released_at = case when released_again <= seen_at then released_again end,
 planned_release = case when released_again > seen_at then released_again end where released_at < booked_at and not key_only and released_again >= booked_at`)
	if err != nil {
		return err
	}
	if err := st.awaitBookings(ctx); err != nil {
		return err
	}
	return st.rejectWhere(ctx, "release.released_at", "lies before the booking", `released_at < booked_at`)
}

// awaitBookings takes out the releases of bookings that no file has told of: messages come in any order.
func (st *staging) awaitBookings(ctx context.Context) error {
	rows, err := st.tx.Query(ctx, `delete from staged where key_only returning line, booking_key, seen_at`)
	if err != nil {
		return fmt.Errorf("find releases without a booking: %w", err)
	}
	var line int64
	var a models.Awaited
	_, err = pgx.ForEachRow(rows, []any{&line, &a.Booking, &a.SeenAt}, func() error {
		own := a
		st.applied.Rejected = append(st.applied.Rejected, models.RejectedRow{Line: line, Field: "release.number", Reason: "waits for its booking, which no file has told of yet", Awaits: &own})
		return nil
	})
	if err != nil {
		return fmt.Errorf("find releases without a booking: %w", err)
	}
	return nil
}

// rejectWhere rejects the staged rows of which a condition holds.
func (st *staging) rejectWhere(ctx context.Context, field, reason, condition string) error {
	var ords []int64
	err := st.tx.QueryRow(ctx, `select coalesce(array_agg(ord), '{}') from staged where `+condition).Scan(&ords)
	if err != nil {
		return fmt.Errorf("look for rows to reject: %w", err)
	}
	return st.reject(ctx, field, reason, ords)
}
