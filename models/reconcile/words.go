package reconcile

import (
	"context"
	"strings"

	"rollcall/models"
	"rollcall/models/db"
)

// wordOf is a fingerprint of each fact that a source tells of a booking: bond, charges, release, planned release, name, birth
// and time of booking. {b} has the facts, {release} is what it told of the release and {details} the charges one by one.
func wordOf(b, release, details string) string {
	return strings.NewReplacer("{b}", b, "{release}", release, "{details}", details).Replace(`array[coalesce({b}.bond_cents::text, ''), md5(concat(to_json({b}.charges), {details})), coalesce({release}, ''), coalesce(instant({b}.planned_release), ''),
 md5({b}.name), md5(concat({b}.dob, ' ', {b}.birth_year)), instant({b}.booked_at)]`)
}

// mute tells that it is not known of all these facts what was told of a sighting g whose booking others tell of too: they were
// merged or told before words were noted. A row that is told as before notes them.
const mute = `cardinality(g.told) < 7`

// wordOfBooking is what the only source of a booking b told of it: that somebody is gone from it is not its word.
var wordOfBooking = wordOf("b", `case when b.release_after is null then case when b.release_inferred then 'released' else instant(b.released_at) end end`,
	`(select `+chargeList+` from booking_charges u where u.rid = b.rid)`)

// alone tells that a source told of the booking of its sighting g as the only one, and that its words were not noted: the booking
// has them. Once they were, they are kept, as others may have told since, or left with their key.
var alone = `g.told is null and not exists (select from ` + db.SightingsOf("g.rid") + ` o where o.source_id <> g.source_id)`

// wordOfRow is what a staged row s tells.
var wordOfRow = wordOf("s", `case when s.release_inferred then 'released' else instant(s.released_at) end`,
	`case when s.statutes is not null then (select `+chargeList+` from (select seq, description, nullif(statute, '') as statute, nullif(severity, '') as severity, bond_cents, nullif(bond_text, '') as bond_text,
   nullif(disposition, '') as disposition from `+stagedCharges+`) u) end`)

// readWords lists what the rows tell of bookings that other sources tell of too, and what their source told of them before.
// It reads rows as they came: settleShared writes names and times as they are known.
func (st *staging) readWords(ctx context.Context) error {
	if st.filling || st.work.told == 0 && st.applied.Adopted == 0 {
		return nil
	}
	if st.applied.Adopted > 0 {
		// Until now one source alone told of these.
		err := st.exec(ctx, "note words of the first source", `update sightings g set told = `+wordOfBooking+` from known k join bookings b on b.rid = k.rid
 where k.adopted and not b.imported and g.rid = k.rid and g.source_id <> $1 and `+alone, st.SourceID)
		if err != nil {
			return err
		}
	}
	var err error
	// A release that names only a key told nothing else.
	st.work.words, err = st.count(ctx, "read words of shared bookings", `create temp table words on commit drop as
 select k.ord, k.rid, k.away, w.told as before, array[case when s.completed or s.bond_unread or $2 and s.bond_cents is null then w.told[1] else n.word[1] end,
  case when s.completed or $3 then w.told[2] else n.word[2] end, n.word[3], n.word[4],
  case when s.completed then w.told[5] else n.word[5] end, case when s.completed then w.told[6] else n.word[6] end, case when s.completed then w.told[7] else n.word[7] end] as word
 from known k join staged s on s.ord = k.ord cross join lateral (select `+wordOfRow+` as word) n
 left join lateral (select g.told from `+db.SightingsOf("k.rid")+` g where g.source_id = $1 order by $4 and not g.present, (g.booking_key = s.booking_key and g.joined is null) desc, g.snapshot_at desc limit 1) w on true
 where not k.older and (not k.same or k.away or k.mute) and s.print <> '' and (w.told is not null or exists (select from `+db.SightingsOf("k.rid")+` g where g.source_id <> $1))`,
		st.SourceID, st.lost(models.LostBond), st.lost("charge.description", "charge.statute", "charge.severity", "charge.bond", "charge.disposition"), st.Tracks)
	return err
}

// heedWords leaves the facts of a booking alone that its row tells as its source told them before. Two feeds of a county
// that state different bonds for one booking, or write its name in two ways, would else overwrite each other whenever something else of it changed. A
// release that absence showed yields to whoever lists the person, as ever; a release before the known time of booking comes with its own.
func (st *staging) heedWords(ctx context.Context) error {
	if st.work.words == 0 {
		return nil
	}
	if err := st.withdrawBonds(ctx); err != nil {
		return err
	}
	return st.exec(ctx, "heed words of shared bookings", `update staged s set name = case when u.name then b.name else s.name end, name_key = case when u.name then b.name_key else s.name_key end,
  dob = case when u.birth then b.dob else s.dob end, birth_year = case when u.birth then b.birth_year else s.birth_year end, booked_at = case when u.booked and (s.released_at >= b.booked_at) is not false then b.booked_at else s.booked_at end,
  bond_cents = case when u.bond then b.bond_cents else s.bond_cents end, bond_unread = s.bond_unread and not u.bond,
  charges = case when u.charges then b.charges else s.charges end, statutes = case when u.charges then c.statutes else s.statutes end, severities = case when u.charges then c.severities else s.severities end,
  bonds = case when u.charges then c.bonds else s.bonds end, bond_texts = case when u.charges then c.bond_texts else s.bond_texts end, dispositions = case when u.charges then c.dispositions else s.dispositions end,
  released_at = case when u.release then b.released_at else s.released_at end, release_inferred = case when u.release then b.release_inferred else s.release_inferred end,
  planned_release = case when u.planned then b.planned_release else s.planned_release end
 from words w join bookings b on b.rid = w.rid
 cross join lateral (select (w.before[1] = w.word[1]) is true as bond, (w.before[2] = w.word[2]) is true as charges, (w.before[3] = w.word[3]) is true and b.release_after is null and not w.away as release, (w.before[4] = w.word[4]) is true as planned,
  (w.before[5] = w.word[5]) is true as name, (w.before[6] = w.word[6]) is true as birth, (w.before[7] = w.word[7]) is true as booked) u
 cross join lateral (select array_agg(coalesce(c.statute, '') order by seq) as statutes, array_agg(coalesce(c.severity, '') order by seq) as severities, array_agg(c.bond_cents order by seq) as bonds,
  array_agg(coalesce(c.bond_text, '') order by seq) as bond_texts, array_agg(coalesce(c.disposition, '') order by seq) as dispositions from booking_charges c where c.rid = b.rid) c
 where s.ord = w.ord`)
}

// withdrawBonds reads a bond that its source told and tells no more: where another one that lists the person tells one still,
// that stands. Else the bond ends, whoever told of the booking first; but while it is not known what the others told, it stays.
func (st *staging) withdrawBonds(ctx context.Context) error {
	return st.exec(ctx, "withdraw bonds of shared bookings", `update staged s set bond_cents = o.bond, bond_ended = o.bond is null and o.known and w.before[1] = b.bond_cents::text
 from words w join bookings b on b.rid = w.rid
 cross join lateral (select (array_agg(g.told[1]::bigint order by g.snapshot_at desc) filter (where g.told[1] <> ''))[1] as bond, coalesce(bool_and(g.told[1] is not null), true) as known
  from `+db.SightingsOf("w.rid")+` g where g.source_id <> $1 and g.present) o
 where s.ord = w.ord and w.before[1] <> '' and w.word[1] = '' and not s.bond_unread`, st.SourceID)
}

// keepWords keeps what the source told of bookings that it shares.
func (st *staging) keepWords(ctx context.Context) error {
	if st.work.words == 0 {
		return nil
	}
	return st.exec(ctx, "keep words of shared bookings", `update sightings g set told = w.word from words w join staged s on s.ord = w.ord where g.source_id = $1 and g.booking_key = s.booking_key`, st.SourceID)
}
