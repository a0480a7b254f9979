package models

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Upheaval is what a run would do to the people whom its source told of before, those left out whom it
// recognises as bookings of others.
type Upheaval struct {
	Lists    bool          // the source lists everybody; else it tells what changed
	Releases bool          // the source tells of nothing but releases
	Open     int           // of the source's bookings, those not released until now
	Closed   int           // of these, those that the run would release, stated or by absence
	Spoken   int           // of these, those that its rows speak of
	Overdue  int           // of these, those released by a time long before the source last told that they are in jail
	Known    int           // rows of known bookings or offenders
	Rewrites []Rewrite     // of these, those whose facts would change
	Since    time.Duration // from the last snapshot that was applied to this one; negative: it came late
}

// Rewrite counts the known whose value of one fact would be replaced or lost; one that was not known before is news.
type Rewrite struct {
	Fact string // as operators call it
	Rows int
	Late bool // it can change of many at once when nobody looked for long, as time of booking, birth date and name never do
}

// most is the greatest count of what would change.
func (u *Upheaval) most() int {
	n := u.Closed
	for _, r := range u.Rewrites {
		n = max(n, r.Rows)
	}
	return n
}

// upheavalCount is how many of a kind there must be for Upset to be asked at all.
const upheavalCount = 4

// ownRow tells whether a known row k is of a booking that the source itself told before, under whatever key.
const ownRow = `(not k.adopted or k.joined is not null)`

// weighBookings counts what the rows would change, with what stays only as it is in no row any more, while the sightings still tell when the source spoke last.
// Charges and bonds of most of its rows do change where a source tells only what changed; there it counts when
// they are told no more of those who stay.
func (st *staging) weighBookings(ctx context.Context) error {
	if st.work.changed == 0 {
		return nil
	}
	u := &st.upheaval
	var rebooked, reborn, renamed, recharged, rebonded int
	err := st.tx.QueryRow(ctx, `select count(*) filter (where c.old_released is null and c.released_at is not null),
 count(*) filter (where case when c.old_released is null and not c.release_inferred then c.released_at < (select max(`+lastSeen+`)
  from `+sightingsOf("c.rid")+` g join sources src on src.id = g.source_id where g.source_id = $1) - make_interval(secs => $2) end),
 count(*) filter (where c.old_booked <> c.booked_at), count(*) filter (where c.old_dob <> c.dob or c.old_year <> c.birth_year), count(*) filter (where c.old_key <> c.name_key),
 count(*) filter (where c.old_charges <> '{}' and c.old_charges <> c.told_charges and ($3 or c.told_charges = '{}' and c.released_at is null)),
 count(*) filter (where c.old_bond is not null and c.old_bond is distinct from c.told_bond and ($3 or c.told_bond is null and c.released_at is null))
 from changed c join known k on k.ord = c.ord and `+ownRow, st.SourceID, overdueAfter.Seconds(), st.Tracks).
		Scan(&u.Closed, &u.Overdue, &rebooked, &reborn, &renamed, &recharged, &rebonded)
	if err != nil {
		return fmt.Errorf("weigh changes: %w", err)
	}
	u.Rewrites = []Rewrite{{"time of booking", rebooked, false}, {"birth date", reborn, false}, {"name", renamed, false}, {"charges", recharged, true}, {"bond", rebonded, true}}
	if u.most() < upheavalCount {
		return nil
	}
	err = st.tx.QueryRow(ctx, `select count(*), count(*) filter (where b.released_at is null) from known k join bookings b on b.rid = k.rid where `+ownRow+` and not k.older`).Scan(&u.Known, &u.Spoken)
	if err != nil {
		return fmt.Errorf("count known rows: %w", err)
	}
	u.Spoken += u.Closed // those are closed by now
	return nil
}

// judgeBookings asks Upset, when absence was read too and before anybody is told.
func (st *staging) judgeBookings(ctx context.Context) error {
	u := &st.upheaval
	var seen *time.Time // when the last of those was seen who would be released by absence: two snapshots may have to lack them
	if st.work.gone > 0 {
		var inferred int
		if err := st.tx.QueryRow(ctx, `select count(*), max(last) from inferred where old_released is null and released_at is not null`).Scan(&inferred, &seen); err != nil {
			return fmt.Errorf("count inferred releases: %w", err)
		}
		u.Closed += inferred
	}
	if u.most() < upheavalCount {
		return nil
	}
	var last *time.Time
	err := st.tx.QueryRow(ctx, `select (select count(distinct b.rid) from sightings g join bookings b on b.rid = g.rid where g.source_id = $1 and g.present and b.released_at is null),
 (select case when $3 then coalesce(src.last_complete, r.last) else r.last end from sources src cross join (select max(snapshot_at) as last from runs where source_id = $1 and id <> $2 and state in ('ok', 'partial')) r where src.id = $1)`,
		st.SourceID, st.RunID, st.Tracks).Scan(&u.Open, &last)
	if err != nil {
		return fmt.Errorf("count open bookings: %w", err)
	}
	u.Open += u.Closed
	if last != nil {
		u.Since = st.At.Sub(*last)
	}
	if seen != nil {
		u.Since = max(u.Since, st.At.Sub(*seen))
	}
	return st.upset()
}

// judgeRecords is the same of offenders, who leave slowly: a status that is no longer incarcerated counts as
// a release, however long ago the last file came.
func (st *staging) judgeRecords(ctx context.Context) error {
	u := &st.upheaval
	facts := []struct{ name, changes string }{
		{"birth date", `old_dob <> dob or old_year <> birth_year`},
		{"name", `old_name <> name`},
		{"category", `old_category <> category`},
		{"institution", `old_institution is distinct from told_institution and old_institution is not null`},
		{"sentence", `old_sentence is distinct from told_sentence and old_sentence is not null`},
		{"release date", `old_release is distinct from told_release and old_release is not null`},
		{"parole end date", `old_parole is distinct from told_parole and old_parole is not null`},
	}
	counts := []string{`count(*) filter (where old_status = 'incarcerated' and status <> 'incarcerated')`}
	u.Rewrites = make([]Rewrite, len(facts))
	into := []any{&u.Closed}
	for i, f := range facts {
		counts = append(counts, `count(*) filter (where `+f.changes+`)`)
		u.Rewrites[i].Fact = f.name
		into = append(into, &u.Rewrites[i].Rows)
	}
	if err := st.tx.QueryRow(ctx, `select `+strings.Join(counts, `, `)+` from changed`).Scan(into...); err != nil {
		return fmt.Errorf("weigh changes: %w", err)
	}
	if u.most() < upheavalCount {
		return nil
	}
	err := st.tx.QueryRow(ctx, `select count(*), (select count(*) from corrections_records where source_id = $1 and withheld is null and status = 'incarcerated') from known where not older`, st.SourceID).Scan(&u.Known, &u.Open)
	if err != nil {
		return fmt.Errorf("count known rows: %w", err)
	}
	u.Open += u.Closed
	return st.upset()
}

// upset holds the snapshot where Upset says so.
func (st *staging) upset() error {
	if st.Upset == nil {
		return nil
	}
	st.upheaval.Lists = st.Tracks
	reason, cleared := st.Upset(st.upheaval)
	if reason != "" {
		return &HeldError{Reason: reason}
	}
	st.waiverUsed = cleared
	return nil
}
