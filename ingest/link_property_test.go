package ingest_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/internal/property"
	"rollcall/internal/testdb"
	"rollcall/match"
	"rollcall/models"
)

// links is every link with all that matching found, as text.
func (b *bundle) links(t require.TestingT) []string {
	rows, err := b.db.Pool.Query(b.Context(), `select concat_ws(' ', b.id, c.gdc_id, l.confidence, l.probability, l.reasons::text, l.origin, l.pinned)
 from gdc_links l join bookings b using (rid) join corrections_records c using (cid) order by 1`)
	require.NoError(t, err)
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return all
}

// Names and births that are near each other, so that ties, vetoes and second-best records are common.
var (
	nearNames = []string{
		"ABERNETHY, QUENTIN ELIAS", "Quentin Abernethy", "ABERNATHY, QUENTIN", "ABERNETHY, QUENTON E", "ABERNETHY, ELIAS",
		"WINTERBOURNE, ZOLA", "Zola Winterborne", "WINTERBOURNE-QUAGMIRE, ZOLA", "QUAGMIRE, ZOLA",
	}
	nearBirths = []string{"1980-03-04", "1980-04-03", "1980-01-01", "1980-03-05", "1961-07-30", ""}
)

// TestIncrementalLinkingEqualsAFullRelink changes bookings, records and verdicts at random, links what
// changed after some of the changes, and compares what is there with what a look at everything leaves.
func TestIncrementalLinkingEqualsAFullRelink(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.add(testdb.Booking{ID: "fulton-2026-000000", Name: "MOONSAIL, ORLA"}, testdb.Offender{GdcID: "G0", Name: "MOONSAIL, ORLA"})
	b.link(false)
	linked, wasFull := 0, 0
	property.Check(t, 25, func(r *rapid.T) {
		b.change(models.Roster, `delete from bookings where $1 > 0`)
		b.change(models.Corrections, `with claims as (delete from corrections_claims) delete from corrections_records where $1 > 0`)
		_, err := b.db.Pool.Exec(b.Context(), `delete from link_decisions`)
		require.NoError(r, err)
		b.link(false)
		// A link and merges are there in every trial, and are no matter of luck.
		b.putBooking("fulton-2026-000008", "STORMCROW, IDA", "1971-05-06")
		b.putRecord("G8", "STORMCROW, IDA", "1971-05-06")
		b.putRecord("G9", "STORMCROW, IDA M", "1971-05-06")
		require.NoError(r, b.store.MergeCorrections(b.Context(), "G8", "G9"))
		for range rapid.IntRange(3, 16).Draw(r, "changes") {
			b.step(r)
			if rapid.IntRange(0, 2).Draw(r, "link") == 0 {
				if b.link(false).Full {
					wasFull++
				}
			}
		}
		b.link(false)
		incremental := b.links(r)
		b.link(true)
		require.Equal(r, b.links(r), incremental)
		linked += len(incremental)
	})
	require.Positive(t, linked)
	require.Zero(t, wasFull, "few changes are linked one by one")
}

// step makes one change, at random. Links of two records that become one go over to the one that stays.
func (b *bundle) step(r *rapid.T) {
	name := rapid.SampledFrom(nearNames).Draw(r, "name")
	birth := rapid.SampledFrom(nearBirths).Draw(r, "birth")
	booking := fmt.Sprintf("fulton-2026-%06d", rapid.IntRange(1, 4).Draw(r, "booking"))
	record := fmt.Sprintf("G%d", rapid.IntRange(1, 4).Draw(r, "record"))
	switch rapid.IntRange(0, 10).Draw(r, "what") {
	case 0, 1:
		b.putBooking(booking, name, birth)
	case 2, 3, 4:
		b.putRecord(record, name, birth)
	case 5:
		b.change(models.Corrections, `update corrections_records set withheld = 'vanished', gen = $1 where gdc_id = $2 and merged_into is null`, record)
	case 6:
		b.change(models.Corrections, `with claims as (delete from corrections_claims where key = $2) delete from corrections_records where $1 > 0 and gdc_id = $2`, record)
	case 7:
		b.change(models.Roster, `update bookings set withheld = 'restricted', gen = $1 where id = $2 and merged_into is null`, booking)
	case 8:
		verdict := rapid.SampledFrom([]models.LinkChoice{models.LinkConfirmed, models.LinkDismissed}).Draw(r, "verdict")
		if err := b.store.DecideLink(b.Context(), booking, record, verdict); err != nil {
			require.Equal(r, models.CodeNotFound, models.CodeOf(err))
		}
	case 9:
		if kept, gone, two := b.two(r, `select gdc_id from corrections_records order by 1`); two {
			_ = b.store.MergeCorrections(b.Context(), kept, gone) // of two that one decision parts it is refused
		}
	case 10:
		if kept, gone, two := b.two(r, `select id from bookings order by 1`); two {
			_ = b.store.MergeBookings(b.Context(), kept, gone)
		}
	}
}

// putBooking makes a booking, or changes whose it is.
func (b *bundle) putBooking(id, name, birth string) {
	b.change(models.Roster, `insert into bookings (id, county_id, source_id, name, name_key, dob, booked_at, first_seen, last_seen, last_change, gen)
 values ($2, 121, 'jail', $3, $4, nullif($5, '')::date, now(), now(), now(), now(), $1)
 on conflict (id) do update set name = excluded.name, name_key = excluded.name_key, dob = excluded.dob, withheld = null, gen = excluded.gen`, id, name, match.SearchKey(name), birth)
}

// putRecord makes a corrections record, or changes whose it is.
func (b *bundle) putRecord(id, name, birth string) {
	b.change(models.Corrections, `insert into corrections_records (gdc_id, source_id, name, name_key, dob, category, categories, status, first_seen, last_seen, last_change, gen)
 values ($2, 'prison', $3, $4, nullif($5, '')::date, 'offender', '{offender}', 'released', now(), now(), now(), $1)
 on conflict (gdc_id) do update set name = excluded.name, name_key = excluded.name_key, dob = excluded.dob, withheld = null, merged_into = null, gen = excluded.gen`, id, name, match.SearchKey(name), birth)
}

// two draws two of the ids that a query gives, which are not always two.
func (b *bundle) two(r *rapid.T, query string) (kept, gone string, two bool) {
	rows, err := b.db.Pool.Query(b.Context(), query)
	require.NoError(r, err)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(r, err)
	if len(ids) < 2 {
		return "", "", false
	}
	drawn := rapid.Permutation(ids).Draw(r, "two")
	return drawn[0], drawn[1], true
}
