package testdb

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"rollcall/match"
)

// The ids of the sources in whose names the builders store records, one for each family. They last succeeded at
// Fetched, so that freshness is known in tests.
const (
	Jail    = "jail"
	Court   = "court"
	Prison  = "prison"
	Fetched = "2026-03-10T14:40:00Z"
)

// Booking is a roster record to store. Empty fields get plain values, or null where a fact may be unknown.
type Booking struct {
	ID, Name string
	// County is a slug; fulton if empty.
	County string
	// DOB is YYYY-MM-DD. BirthYear is for a source that states only the year.
	DOB       string // YYYY-MM-DD
	BirthYear int
	// At is when the person was booked, in RFC 3339.
	At string
	// Released is in RFC 3339; empty for a person in custody. Inferred marks a release that no source stated.
	Released string
	Inferred bool
	Charges  []string
	// BondCents is negative for a booking without a bond. The zero value is a bond of 0 dollars.
	BondCents int64
	// Agency is empty for a booking whose list names none.
	Agency string
	// Photo is whether the booking has a photograph.
	Photo bool
	// Withheld is a reason of the type withheld_reason; empty for a published record.
	Withheld string
	// Changed is the last change, in RFC 3339; Fetched if empty.
	Changed string
}

// Case is a court case to store. Empty fields get plain values, or null where a fact may be unknown.
type Case struct {
	// Number is unique only within county, court and party.
	Number, Defendant string
	// County is a slug; fulton if empty.
	County string
	// Court and Status are in lower case, as /v1 takes them: state and pending if empty.
	Court, Status         string
	Party, Offense, Filed string
	Judge, HearingLink    string
	// Inferred marks Filed as the earliest day known of the case. BailCents is 0 where no bail is set.
	Inferred  bool
	BailCents int64
	// DOB is YYYY-MM-DD, and Booking the booking number that the court names.
	DOB, Booking      string
	Hearings          []Hearing
	Dispositions      []Disposition
	Withheld, Changed string
}

// Hearing is a hearing of a Case. Date is YYYY-MM-DD and Time HH:MM, or empty when the court states none.
type Hearing struct {
	Date, Time, Judge, Location, Link string
	Cancelled                         bool
}

// Disposition is a disposition of a Case, in the order in which they are listed.
type Disposition struct{ Date, Outcome, Sentence string }

// Offender is a corrections record to store. Empty fields get plain values, or null where a fact may be
// unknown.
type Offender struct {
	GdcID, Name, DOB string
	// Category is offender and Status incarcerated if empty.
	Category, Status      string
	Institution, Sentence string
	// Release and ParoleEnd are YYYY-MM-DD. Projected marks a release that is still to come.
	Release, ParoleEnd string
	Projected          bool
	Withheld, Changed  string
}

// Link joins a Booking and an Offender that are stored, as if it had been imported.
type Link struct {
	Booking, Offender string
	// Confidence is high if empty.
	Confidence string
	Mugshot    bool
}

// CourtLink joins a Case, by its number, with a Booking or an Offender that are stored, as if matching had
// found it.
type CourtLink struct {
	Case, Booking, Offender string
	// Confidence is low if empty.
	Confidence string
}

// Add stores records (Booking, Case, Offender, Link, CourtLink) and the sources that they come from. A link
// must follow the records that it joins. Bookings and corrections records get the claim that fits them, so that
// resolving them anew keeps them as they are. Cases get none.
func (db *DB) Add(tb testing.TB, records ...any) {
	tb.Helper()
	var b pgx.Batch
	for id, kind := range map[string]string{Jail: "roster", Court: "courts", Prison: "corrections"} {
		b.Queue(`insert into sources (id, title, kind, enabled, interval_seconds, last_attempt, last_success)
 values ($1, $1, $2, true, 3600, $3::text::timestamptz, $3::text::timestamptz) on conflict do nothing`, id, kind, Fetched)
	}
	for _, r := range records {
		switch r := r.(type) {
		case Booking:
			r.queue(&b)
		case Case:
			r.queue(&b)
		case Offender:
			r.queue(&b)
		case Link:
			b.Queue(`insert into gdc_links (rid, cid, confidence, probability, mugshot_match, origin, linked_at)
 select b.rid, o.cid, $3, 0.99, $4, 'imported', now() from bookings b, corrections_records o where b.id = $1 and o.gdc_id = $2`,
				r.Booking, r.Offender, or(r.Confidence, "high"), r.Mugshot)
		case CourtLink:
			b.Queue(`insert into court_links (case_id, rid, cid, confidence, probability, reasons, origin, linked_at)
 select c.id, (select rid from bookings where id = $2), (select cid from corrections_records where gdc_id = $3), $4, 0.9, '{surname agrees}', 'matched', now()
 from court_cases c where c.case_number = $1`, r.Case, r.Booking, r.Offender, or(r.Confidence, "low"))
		default:
			require.Failf(tb, "not a record", "%T", r)
		}
	}
	require.NoError(tb, db.Pool.SendBatch(tb.Context(), &b).Close())
}

// queue adds the statements that store the booking with its claim.
func (r *Booking) queue(b *pgx.Batch) {
	var bond *int64
	if r.BondCents >= 0 {
		bond = &r.BondCents
	}
	if r.Charges == nil {
		r.Charges = []string{}
	}
	b.Queue(`insert into bookings (id, county_id, source_id, name, name_key, dob, birth_year, booked_at, released_at, release_inferred,
 charges, bond_cents, has_photo, agency, withheld, first_seen, last_seen, last_change, gen)
 select $1, c.id, 'jail', $3, $4, nullif($5, '')::date, nullif($6, 0), $7::text::timestamptz, nullif($8, '')::timestamptz, $9,
 $10, $11, $12, nullif($15, ''), nullif($13, '')::withheld_reason, $14::text::timestamptz, $14::text::timestamptz, $14::text::timestamptz, 1 from counties c where c.slug = $2`,
		r.ID, or(r.County, "fulton"), r.Name, match.SearchKey(r.Name), r.DOB, r.BirthYear, or(r.At, "2026-03-01T12:00:00-05:00"), r.Released, r.Inferred,
		r.Charges, bond, r.Photo, r.Withheld, or(r.Changed, Fetched), r.Agency)
	b.Queue(ClaimOfBooking, r.ID)
}

// ClaimOfBooking stores the claim that fits the booking with an id, in the name of its source and with the id
// as its key. Without a claim a record has no source, and resolving it anew would empty it.
const ClaimOfBooking = `insert into roster_claims (source_id, key, record, county_id, how, how_at, fingerprint, first_at, said_at, present, facts, evidence)
 select source_id, id, rid, county_id, 'own', first_seen, '', first_seen, last_seen, true,
  jsonb_strip_nulls(jsonb_build_object('county', county_id, 'name', name, 'dob', dob, 'year', coalesce(birth_year, extract(year from dob)), 'booked_at', booked_at,
   'released', case when not release_inferred then released_at end, 'bond', bond_cents, 'agency', agency,
   'charges', case when charges <> '{}' then (select jsonb_agg(jsonb_build_object('Description', d) order by n) from unnest(charges) with ordinality c (d, n)) end)),
  jsonb_strip_nulls(jsonb_build_object('birth', dob, 'birth_at', case when dob is not null then last_seen end, 'birth_reason', case when dob is not null and withheld in ('juvenile', 'maybe juvenile') then withheld end,
   'year', coalesce(birth_year, extract(year from dob)), 'year_at', case when coalesce(birth_year, extract(year from dob)) is not null then last_seen end,
   'juvenile_at', case when withheld = 'juvenile' then last_seen end, 'more_at', case when withheld = 'juvenile' then last_seen end,
   'doubt_at', case when withheld = 'maybe juvenile' then last_seen + interval '1 microsecond' end, 'restricted_at', case when withheld not in ('juvenile', 'maybe juvenile') then last_seen end))
 from bookings where id = $1`

// queue adds the statements that store the case with its hearings and dispositions.
func (r *Case) queue(b *pgx.Batch) {
	county, court, party := or(r.County, "fulton"), or(r.Court, "state"), or(r.Party, "1")
	b.Queue(`insert into court_cases (county_id, court_type, case_number, party, source_id, defendant, name_key, offense, filed_date, status,
 judge, hearing_link, withheld, snapshot_at, first_seen, last_seen, last_change, dob, booking_key, gen, filed_inferred, bail_cents)
 select c.id, $2, $3, $4, 'court', $5, $6, $7, $8::text::date, $9, nullif($10, ''), nullif($11, ''), nullif($12, '')::withheld_reason,
 $13::text::timestamptz, $13::text::timestamptz, $13::text::timestamptz, $13::text::timestamptz, nullif($14, '')::date, nullif($15, ''), 1, $16, nullif($17, 0) from counties c where c.slug = $1`,
		county, court, r.Number, party, r.Defendant, match.SearchKey(r.Defendant), or(r.Offense, "THEFT BY TAKING"), or(r.Filed, "2026-02-01"),
		or(r.Status, "pending"), r.Judge, r.HearingLink, r.Withheld, or(r.Changed, Fetched), r.DOB, r.Booking, r.Inferred, r.BailCents)
	const ofCase = ` from court_cases k join counties c on c.id = k.county_id
 where c.slug = $1 and k.court_type = $2 and k.case_number = $3 and k.party = $4`
	for i, h := range r.Hearings {
		b.Queue(`insert into hearings (case_id, event, date, time, starts_at, judge, location, link, cancelled)
 select k.id, $5::int::text, $6::text::date, nullif($7, ''), ($6 || ' ' || coalesce(nullif($7, ''), '00:00'))::timestamp at time zone 'EST5EDT,M3.2.0,M11.1.0',
 nullif($8, ''), nullif($9, ''), nullif($10, ''), $11`+ofCase,
			county, court, r.Number, party, i, h.Date, h.Time, h.Judge, h.Location, h.Link, h.Cancelled)
	}
	for i, d := range r.Dispositions {
		b.Queue(`insert into dispositions (case_id, seq, date, outcome, sentence) select k.id, $5, $6::text::date, $7, nullif($8, '')`+ofCase,
			county, court, r.Number, party, i+1, d.Date, d.Outcome, d.Sentence)
	}
}

// queue adds the statements that store the record with its claim.
func (r *Offender) queue(b *pgx.Batch) {
	category := or(r.Category, "offender")
	b.Queue(`insert into corrections_records (gdc_id, source_id, name, name_key, dob, category, categories, institution, sentence, status,
 release_date, release_projected, parole_end_date, withheld, first_seen, last_seen, last_change, gen)
 values ($1, 'prison', $2, $3, nullif($4, '')::date, $5, array[$5], nullif($6, ''), nullif($7, ''), $8, nullif($9, '')::date, $10, nullif($11, '')::date,
 nullif($12, '')::withheld_reason, $13::text::timestamptz, $13::text::timestamptz, $13::text::timestamptz, 1)`,
		r.GdcID, r.Name, match.SearchKey(r.Name), r.DOB, category, r.Institution, r.Sentence, or(r.Status, "incarcerated"),
		r.Release, r.Projected, r.ParoleEnd, r.Withheld, or(r.Changed, Fetched))
	b.Queue(offenderClaim, r.GdcID)
}

// offenderClaim stores the claim that fits a stored corrections record.
const offenderClaim = `insert into corrections_claims (source_id, key, record, how, how_at, fingerprint, first_at, said_at, present, misses, facts, evidence)
 select source_id, gdc_id, cid, 'own', first_seen, '', first_seen, last_seen, withheld is distinct from 'vanished', (withheld is not distinct from 'vanished')::int,
  jsonb_strip_nulls(jsonb_build_object('name', name, 'dob', dob, 'birth_year', birth_year, 'category', category, 'categories', categories, 'institution', institution, 'sentence', sentence,
   'status', status, 'release_date', release_date, 'release_projected', release_projected, 'parole_end_date', parole_end_date)),
  jsonb_strip_nulls(jsonb_build_object('birth', dob, 'birth_at', case when dob is not null then last_seen end, 'year', birth_year, 'year_at', case when birth_year is not null then last_seen end,
   'juvenile_at', case when withheld = 'juvenile' then last_seen end, 'more_at', case when withheld = 'juvenile' then last_seen end, 'doubt_at', case when withheld = 'maybe juvenile' then last_seen + interval '1 microsecond' end,
   'restricted_at', case when withheld = 'restricted' then last_seen end))
 from corrections_records where gdc_id = $1`

// or returns s, or otherwise if s is blank.
func or(s, otherwise string) string {
	if strings.TrimSpace(s) == "" {
		return otherwise
	}
	return s
}
