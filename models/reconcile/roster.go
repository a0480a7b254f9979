package reconcile

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"rollcall/match"
	"rollcall/models"
)

const rosterStaging = `create temp table staged (
 ord bigint, booking_key text collate "C", person_key text, locator text, county_id smallint, name text, name_key text collate "C", dob date, birth_year smallint,
 booked_at timestamptz, released_at timestamptz, release_inferred boolean, planned_release timestamptz, charges text[], bond_cents bigint, withheld text,
 seen_at timestamptz, line bigint, print bytea, statutes text[], severities text[], bonds bigint[], bond_texts text[], dispositions text[], key_only boolean, bond_unread boolean, age_doubt text, age smallint, grown boolean, sign text, released_again timestamptz, sealed_by bigint, sealed_case bigint, completed boolean, bond_ended boolean) on commit drop`

var stagedRoster = strings.Fields(`ord booking_key person_key locator county_id name name_key dob birth_year booked_at released_at
 release_inferred planned_release charges bond_cents withheld seen_at line print statutes severities bonds bond_texts dispositions key_only bond_unread age_doubt age grown sign released_again`)

// ReconcileRoster brings one snapshot of a roster source into the tables, in one transaction and by
// sets: its cost grows with the rows of the snapshot and what changed, not with the tables. The same
// snapshot twice changes nothing; an older one never takes back what a newer one said. Only a
// snapshot that the verdict calls complete may miss anybody. A HeldError means that nothing was applied.
func (s *Store) ReconcileRoster(ctx context.Context, r models.Reconciler, rows iter.Seq2[*models.RosterRow, error]) (models.Applied, models.Verdict, error) {
	keyOnly := false
	return s.reconcile(ctx, r, models.Roster, rosterStaging, stagedRoster, rosterValues(rows, &keyOnly), func(ctx context.Context, st *staging) error {
		if keyOnly {
			if err := st.completeReleases(ctx); err != nil {
				return err
			}
		}
		if err := st.bulk(ctx, st.rosterSteps, "bookings", "booking_charges", "sightings"); err != nil {
			return err
		}
		return st.sealCases(ctx)
	})
}

func (st *staging) rosterSteps(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		st.indexStaged, st.dedupeRoster, st.matchSightings, st.judge, st.listSnapshots, st.adoptBookings, st.findMoved, st.turnover, st.moveKeys, st.yieldMerged, st.readWords, st.settleShared, st.liftBookings, st.believeAges, st.withholdBookings, st.sealAlike, st.heedWords, st.changeBookings, st.claimAdopted,
		st.weighBookings, st.insertBookings, st.sight, st.keepWords, st.sightJoined, st.relist, st.absences, st.judgeBookings, st.resealBookings, st.rosterCounts, st.detect,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// indexStaged makes look-ups by key quick whatever the server guesses of tables that were just filled:
// of a source that is new it thinks that it has one row, and would compare each with every other.
func (st *staging) indexStaged(ctx context.Context) error {
	if st.filling && !st.Tracks {
		return nil
	}
	return st.exec(ctx, "index staged keys", `create index on staged (booking_key)`)
}

// rosterValues are the rows as the staging table has them; keyOnly says whether one of them was.
func rosterValues(rows iter.Seq2[*models.RosterRow, error], keyOnly *bool) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		var ord int64
		for r, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			ord++
			*keyOnly = *keyOnly || r.KeyOnly
			c := rosterCharges(r.Charges)
			values := []any{
				ord, r.Key, models.NilIfEmpty(r.PersonKey), models.NilIfEmpty(r.Locator), r.CountyID, r.Name, match.SearchKey(r.Name), r.DOB, nilIfZero(r.BirthYear),
				r.BookedAt, r.ReleasedAt, r.ReleaseInferred, r.PlannedRelease, c.descriptions, r.BondCents, models.NilIfEmpty(r.Withheld),
				r.SeenAt, r.Line, r.Print, c.statutes, c.severities, c.bonds, c.bondTexts, c.dispositions, r.KeyOnly, r.BondUnread, models.NilIfEmpty(string(r.AgeDoubt)), nilIfZero(r.Age), r.Grown, models.NilIfEmpty(string(r.Sign)), r.ReleasedAgain,
			}
			if !yield(values, nil) {
				return
			}
		}
	}
}

// chargeLists are charges as parallel lists; all but the descriptions are nil where no charge has more.
type chargeLists struct {
	descriptions                                  []string
	statutes, severities, bondTexts, dispositions []string
	bonds                                         []*int64
}

func rosterCharges(charges []models.Charge) chargeLists {
	l := chargeLists{descriptions: make([]string, len(charges))}
	more := false
	for i, c := range charges {
		l.descriptions[i] = c.Description
		more = more || c.Statute != "" || c.Severity != "" || c.BondText != "" || c.Disposition != "" || c.BondCents != nil
	}
	if !more {
		return l
	}
	for _, c := range charges {
		l.statutes = append(l.statutes, c.Statute)
		l.severities = append(l.severities, c.Severity)
		l.bondTexts = append(l.bondTexts, c.BondText)
		l.dispositions = append(l.dispositions, c.Disposition)
		l.bonds = append(l.bonds, c.BondCents)
	}
	return l
}

// matchSightings finds the rows whose key the source has used before. A present row that did not
// change was last seen at the source's last complete snapshot. A flag that is taken back is news also where a row told
// before that it is blank.
//
// It looks each key up by itself (limit keeps the server from joining the tables whole): what it guesses of a
// source depends on when its tables were analyzed last, and all that a source ever told is more and more.
func (st *staging) matchSightings(ctx context.Context) error {
	err := st.exec(ctx, "match known keys", `create temp table known on commit drop as
 select s.ord, g.rid, g.print = s.print and (g.sign is distinct from 'flag' or s.sign is distinct from 'no') as same, g.misses > 0 or not g.present as away, s.seen_at > g.last as newer,
  s.seen_at < g.last as older, false as adopted, g.joined, g.merged_at as merged, s.grown and not g.grown or s.sign is not distinct from 'more' and g.sign is distinct from 'more' as grows, false as yields, g.mute
 from staged s cross join lateral (select rid, print, misses, present, joined, merged_at, grown, sign, `+mute+` as mute,
  case when present and misses = 0 then greatest(snapshot_at, (select last_complete from sources where id = $1)) else snapshot_at end as last
  from sightings g where source_id = $1 and booking_key = s.booking_key limit 1) g where not $2`, st.SourceID, st.filling)
	if err != nil {
		return err
	}
	if err := st.exec(ctx, "index known keys", `create index on known (ord)`); err != nil {
		return err
	}
	if err := st.exec(ctx, "analyze known keys", `analyze known`); err != nil {
		return err
	}
	if err := st.tally(ctx); err != nil {
		return err
	}
	if err := st.setApart(ctx); err != nil || st.work.told == 0 {
		return err
	}
	before := len(st.applied.Rejected)
	err = st.guardBookings(ctx, `select s.ord, b.name, b.dob, s.name, s.dob from known k join staged s on s.ord = k.ord join bookings b on b.rid = k.rid
 where not k.same and (s.name_key <> b.name_key or s.dob <> b.dob)`)
	if err != nil || len(st.applied.Rejected) == before {
		return err
	}
	if err := st.exec(ctx, "drop rejected keys", `delete from known k where not exists (select from staged s where s.ord = k.ord)`); err != nil {
		return err
	}
	return st.tally(ctx)
}

// chargeList is the text of a version row for charges u, as GraphQL calls their parts; null where there are none.
const chargeList = `json_agg(json_strip_nulls(json_build_object('description', u.description, 'statute', u.statute, 'severity', u.severity,
 'bondAmount', to_char(u.bond_cents / 100.0, 'FM9999999999999990.00'), 'bondText', u.bond_text, 'disposition', u.disposition)) order by u.seq)::text`

// stagedCharges are the charges one by one of a staged row s, where it tells more than descriptions.
const stagedCharges = `unnest(s.charges, s.statutes, s.severities, s.bonds, s.bond_texts, s.dispositions) with ordinality u (description, statute, severity, bond_cents, bond_text, disposition, seq)`

// changeBookings writes the facts that differ, with a version row for each.
func (st *staging) changeBookings(ctx context.Context) (err error) {
	if st.work.fresh == 0 && st.work.told == 0 {
		return nil
	}
	st.work.changed, err = st.count(ctx, "find changed bookings", `create temp table changed on commit drop as
 select s.ord, b.rid, b.name as old_name, b.name_key as old_key, b.dob as old_dob, b.birth_year as old_year, b.booked_at as old_booked, b.released_at as old_released, b.release_inferred as old_inferred,
  b.planned_release as old_planned, b.charges as old_charges, b.bond_cents as old_bond, b.withheld as old_withheld, b.sealed_by as old_sealed_by, b.sealed_case as old_sealed_case,
  s.name, s.name_key, coalesce(s.dob, b.dob) as dob, coalesce(s.birth_year, b.birth_year) as birth_year, s.booked_at,
  case when o.keeps then b.released_at when not w.spurned then s.released_at end as released_at, case when o.keeps then b.release_inferred else s.release_inferred and not w.spurned end as release_inferred,
  case when o.owns then s.planned_release else coalesce(s.planned_release, b.planned_release) end as planned_release,
  case when t.charges then s.charges else b.charges end as charges, t.charges as tells_charges, d.old as old_details, case when t.charges then d.new else d.old end as details,
  case when s.bond_ended or o.owns and not s.bond_unread and not l.bond then s.bond_cents else coalesce(s.bond_cents, b.bond_cents) end as bond_cents,
  case when o.owns or s.charges <> '{}' then s.charges else b.charges end as told_charges, case when s.bond_ended or o.owns and not s.bond_unread then s.bond_cents else coalesce(s.bond_cents, b.bond_cents) end as told_bond, l.bond or l.charges as kept, s.withheld, s.sealed_by, s.sealed_case, s.seen_at
 from known k join staged s on s.ord = k.ord join bookings b on b.rid = k.rid
 -- What another source told about stays where this one says nothing of it, and a bond that is known while it can not be read. A release stands when this
 -- row only repeats it without a time, or when newer complete snapshots lack the person anyway.
 cross join lateral (select b.imported or b.source_id = $1 as owns,
  b.released_at is not null and (s.release_inferred or s.released_at is null and (
   b.release_after is not null and exists (select from complete_snapshots where at > s.seen_at)
   or not (b.imported or b.source_id = $1 or b.release_inferred or `+toldReleased+` = $1))) as keeps) o
 cross join lateral (select s.released_at is not null and b.released_at is null and `+spurned+` as spurned) w
 -- A field that is in no row any more was renamed: nothing of it is taken for empty.
 cross join lateral (select $2 and s.bond_cents is null and b.bond_cents is not null as bond,
  $3 and s.charges = '{}' and b.charges <> '{}' or $4 and s.charges = b.charges and s.charges <> '{}' as charges) l
 cross join lateral (select (o.owns or s.charges <> '{}') and not l.charges as charges) t
 cross join lateral (select (select `+chargeList+` from booking_charges u where u.rid = b.rid) as old,
  case when s.statutes is not null then (select `+chargeList+` from (select seq, description, nullif(statute, '') as statute, nullif(severity, '') as severity, bond_cents, nullif(bond_text, '') as bond_text,
   nullif(disposition, '') as disposition from `+stagedCharges+`) u) end as new) d
 where not k.older and (not k.same or k.away)`, st.SourceID, st.lost(models.LostBond), st.lost("charge.description"), st.lost("charge.statute", "charge.severity", "charge.bond", "charge.disposition"))
	if err != nil || st.work.changed == 0 {
		return err
	}
	if err := st.bookingChanges(ctx); err != nil {
		return err
	}
	st.applied.Changed, err = st.count(ctx, "change bookings", `update bookings b set name = c.name, name_key = c.name_key, dob = c.dob, birth_year = c.birth_year, booked_at = c.booked_at,
  released_at = c.released_at, release_inferred = c.release_inferred, release_after = case when c.released_at is null then null else b.release_after end,
  planned_release = c.planned_release, charges = c.charges, bond_cents = c.bond_cents, withheld = c.withheld, sealed_by = c.sealed_by, sealed_case = c.sealed_case,
  last_seen = greatest(b.last_seen, c.seen_at), last_change = $1, gen = $2
 from changed c where c.rid = b.rid and (c.old_name, c.old_dob, c.old_year, c.old_booked, c.old_released, c.old_inferred, c.old_planned, c.old_charges, c.old_bond, c.old_withheld, c.old_sealed_by, c.old_sealed_case, c.old_details)
  is distinct from (c.name, c.dob, c.birth_year, c.booked_at, c.released_at, c.release_inferred, c.planned_release, c.charges, c.bond_cents, c.withheld, c.sealed_by, c.sealed_case, c.details)`, st.Now, st.applied.Generation)
	if err != nil {
		return err
	}
	err = st.exec(ctx, "drop old charges", `delete from booking_charges c using changed d where c.rid = d.rid and d.tells_charges`)
	if err != nil {
		return err
	}
	err = st.tx.QueryRow(ctx, `select count(*) filter (where old_released is null and released_at is not null), count(*) filter (where old_released is not null and released_at is null) from changed`).
		Scan(&st.applied.Closed, &st.applied.Reopened)
	if err != nil {
		return fmt.Errorf("count releases: %w", err)
	}
	return nil
}

// bookingChanges writes version rows from the table changed, one for each fact that differs. Before
// and after are texts: instants in UTC, lists as JSON, money in cents.
func (st *staging) bookingChanges(ctx context.Context) error {
	return st.exec(ctx, "write versions", `insert into record_changes (family, record, at, source_id, run_id, field, before, after)
 select 'roster', c.rid, $1, $2, $3, f.field, f.before, f.after from changed c cross join lateral (values
  ('name', c.old_name, c.name), ('dob', c.old_dob::text, c.dob::text), ('birth_year', c.old_year::text, c.birth_year::text),
  ('booked_at', instant(c.old_booked), instant(c.booked_at)), ('released_at', instant(c.old_released), instant(c.released_at)),
  ('release_inferred', c.old_inferred::text, c.release_inferred::text), ('planned_release', instant(c.old_planned), instant(c.planned_release)),
  ('charges', to_json(c.old_charges)::text, to_json(c.charges)::text), ('bond_cents', c.old_bond::text, c.bond_cents::text), ('withheld', c.old_withheld, c.withheld),
  ('charge_details', c.old_details, c.details)
 ) f (field, before, after) where f.before is distinct from f.after order by c.rid`, st.Now, st.SourceID, st.RunID)
}

// insertBookings makes the bookings that nobody knew, with ids in order of booking time. They are written in the order of
// their keys, so that the unique indexes grow at one end.
func (st *staging) insertBookings(ctx context.Context) (err error) {
	if st.work.fresh == 0 {
		if err := st.exec(ctx, "make list of new bookings", `create temp table fresh_rows (ord bigint, rid bigint) on commit drop`); err != nil || st.work.changed == 0 {
			return err
		}
		return st.insertCharges(ctx)
	}
	err = st.exec(ctx, "number new bookings", `create temp table fresh_rows on commit drop as
 select ord, county_id, year, nextval((select pg_get_serial_sequence('bookings', 'rid')::regclass)) as rid, row_number() over (partition by county_id, year order by booked_at, ord) as n
 from (select s.ord, s.county_id, s.booked_at, extract(year from georgia_clock(s.booked_at))::smallint as year from staged s where not exists (select from known k where k.ord = s.ord)) s`)
	if err != nil {
		return err
	}
	if err := st.exec(ctx, "analyze new bookings", `analyze fresh_rows`); err != nil {
		return err
	}
	err = st.exec(ctx, "take sequence numbers", `insert into roster_sequences as q (county_id, year, last)
 select county_id, year, count(*) from fresh_rows group by 1, 2 order by 1, 2 on conflict (county_id, year) do update set last = q.last + excluded.last`)
	if err != nil {
		return err
	}
	st.applied.New, err = st.count(ctx, "insert bookings", `insert into bookings (rid, id, county_id, source_id, name, name_key, dob, birth_year, booked_at, released_at, release_inferred,
  planned_release, charges, bond_cents, withheld, sealed_by, sealed_case, first_seen, last_seen, known_at, last_change, gen)
 select f.rid, c.slug || '-' || f.year || '-' || record_number(q.last - t.n + f.n), f.county_id, $1, s.name, s.name_key, s.dob, s.birth_year, s.booked_at, s.released_at, s.release_inferred,
  s.planned_release, s.charges, s.bond_cents, s.withheld, s.sealed_by, s.sealed_case, s.seen_at, s.seen_at, $2, $2, $3
 from fresh_rows f join staged s on s.ord = f.ord join counties c on c.id = f.county_id
 join roster_sequences q on q.county_id = f.county_id and q.year = f.year
 join (select county_id, year, count(*) as n from fresh_rows group by 1, 2) t on t.county_id = f.county_id and t.year = f.year order by f.rid`,
		st.SourceID, st.Now, st.applied.Generation)
	if err != nil {
		return err
	}
	return st.insertCharges(ctx)
}

// insertCharges writes the charges of new and changed bookings one by one. The lists are taken apart side by side in
// the list of columns, which costs half of a call for each row.
func (st *staging) insertCharges(ctx context.Context) error {
	return st.exec(ctx, "insert charges", `insert into booking_charges (rid, seq, description, statute, severity, bond_cents, bond_text, disposition)
 select rid, seq, description, nullif(statute, ''), nullif(severity, ''), bond_cents, nullif(bond_text, ''), nullif(disposition, '') from (
  select r.rid, generate_subscripts(s.charges, 1) as seq, unnest(s.charges) as description, unnest(s.statutes) as statute, unnest(s.severities) as severity,
   unnest(s.bonds) as bond_cents, unnest(s.bond_texts) as bond_text, unnest(s.dispositions) as disposition
  from (select ord, rid from fresh_rows union all select ord, rid from changed where tells_charges) r join staged s on s.ord = r.ord
  where s.statutes is not null) u`)
}

// sight writes what the source said under its own keys.
func (st *staging) sight(ctx context.Context) error {
	if st.work.fresh > 0 || st.applied.Adopted > 0 {
		if err := st.sightNew(ctx); err != nil {
			return err
		}
	}
	// A row that did not change is written only where nothing else remembers that it was seen. The source is
	// joined, not given, so that the server never begins with all that the source told (matchSightings).
	if st.work.told > 0 || st.work.grows > 0 || st.work.yields > 0 || !st.verdict.Complete {
		fingerprint := `s.print`
		if st.work.changed > 0 {
			fingerprint = `case when k.ord in (select ord from changed where kept) then '' else s.print end`
		}
		err := st.exec(ctx, "renew sightings", `with seen as materialized (select $1::text as source_id, s.booking_key, `+fingerprint+` as print, s.person_key, s.locator, s.seen_at, s.grown, s.sign
  from known k join staged s on s.ord = k.ord where not k.adopted and not k.older and (not k.same or k.away or k.newer and not $2 or k.grows or k.yields))
 update sightings g set grown = g.grown or s.grown, sign = `+laterSign+`, print = s.print, person_key = s.person_key, locator = s.locator, snapshot_at = s.seen_at, present = true, misses = 0, missing_since = null
 from seen s where g.source_id = s.source_id and g.booking_key = s.booking_key`, st.SourceID, st.verdict.Complete)
		if err != nil {
			return err
		}
	}
	return st.exec(ctx, "note counties", `insert into source_counties (source_id, county_id) select $1, county_id from staged group by county_id on conflict do nothing`, st.SourceID)
}

// sightNew writes the keys that the source did not use before, in their order.
func (st *staging) sightNew(ctx context.Context) error {
	return st.exec(ctx, "write sightings", `insert into sightings (source_id, booking_key, rid, person_key, locator, print, snapshot_at, joined, grown, sign)
 select $1, s.booking_key, r.rid, s.person_key, s.locator, s.print, s.seen_at, r.joined, s.grown, nullif(s.sign, 'no')
 from (select ord, rid, null::timestamptz as joined from fresh_rows union all select ord, rid, joined from known where adopted) r join staged s on s.ord = r.ord
 where not exists (select from apart a where a.ord = r.ord) order by s.booking_key`, st.SourceID)
}

func (st *staging) rosterCounts(ctx context.Context) error {
	relisted := `false`
	if st.work.relist > 0 {
		relisted = `exists (select from relisted r where r.rid = k.rid)`
	}
	err := st.tx.QueryRow(ctx, `select (select count(*) from known k where same and not older and not away and not `+relisted+`), (select count(*) from known where older),
 (select count(*) from staged where withheld is not null)`).Scan(&st.applied.Unchanged, &st.applied.Older, &st.applied.Withheld)
	if err != nil {
		return fmt.Errorf("count rows: %w", err)
	}
	return nil
}
