package link

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/claim"
	"rollcall/models/db"
)

// courtEnds are the keys of a case and of the booking or record that is named beside it.
type courtEnds struct {
	caseKey  int64
	family   string
	person   string
	rid, cid *int64
}

// courtEnds finds a pair: caseID is CourtCase.ID's, person a booking's or a corrections record's id.
func (s *Store) courtEnds(ctx context.Context, tx pgx.Tx, caseID, person string) (e courtEnds, err error) {
	e.person = person
	none := models.NotFound("there is no court case " + caseID)
	slug, key, ok := models.ParseCaseID(caseID)
	if !ok {
		return e, none
	}
	err = tx.QueryRow(ctx, `select c.id from court_cases c join counties k on k.id = c.county_id where c.id = $1 and k.slug = $2`, key, slug).Scan(&e.caseKey)
	if errors.Is(err, pgx.ErrNoRows) {
		return e, none
	}
	if err != nil {
		return e, fmt.Errorf("find case: %w", err)
	}
	err = tx.QueryRow(ctx, `select (select rid from bookings where id = $1), (select cid from corrections_records where gdc_id = $1)`, person).Scan(&e.rid, &e.cid)
	if err != nil {
		return e, fmt.Errorf("find person: %w", err)
	}
	switch {
	case e.rid != nil:
		e.family, e.cid = "roster", nil
	case e.cid != nil:
		e.family = "corrections"
	default:
		return e, models.NotFound("there is no booking or corrections record " + person)
	}
	return e, nil
}

// restoreConfirmedCourts pins the confirmed pairs whose ends came back under their names.
func restoreConfirmedCourts(ctx context.Context, tx pgx.Tx, now time.Time) error {
	for _, step := range []string{
		`delete from court_links l using court_verdicts v, court_cases c, corrections_records o
 where v.verdict = 'confirmed' and v.family = 'corrections' and c.id = l.case_id and ` + db.OfVerdict + ` and o.gdc_id = v.person and l.cid is not null and l.cid <> o.cid and $1::timestamptz is not null`,
		`insert into court_links as l (case_id, rid, confidence, probability, reasons, origin, pinned, linked_at)
 select c.id, b.rid, 'high', 1, '{confirmed by an operator}', 'operator', true, $1 from court_verdicts v join court_cases c on ` + db.OfVerdict + `
 join bookings b on b.id = v.person where v.verdict = 'confirmed' and v.family = 'roster'
 on conflict (case_id, rid) do update set confidence = 'high', probability = 1, reasons = excluded.reasons, origin = 'operator', pinned = true, linked_at = excluded.linked_at where not l.pinned`,
		`insert into court_links as l (case_id, cid, confidence, probability, reasons, origin, pinned, linked_at)
 select c.id, o.cid, 'high', 1, '{confirmed by an operator}', 'operator', true, $1 from court_verdicts v join court_cases c on ` + db.OfVerdict + `
 join corrections_records o on o.gdc_id = v.person where v.verdict = 'confirmed' and v.family = 'corrections'
 on conflict (case_id) where cid is not null do update set confidence = 'high', probability = 1, reasons = excluded.reasons, origin = 'operator', pinned = true, linked_at = excluded.linked_at where not l.pinned`,
	} {
		if _, err := tx.Exec(ctx, step, now); err != nil {
			return fmt.Errorf("pin confirmed links of cases: %w", err)
		}
	}
	return nil
}

// DecideCourtLink keeps an operator's verdict of a case (CourtCase.ID) and a booking or corrections record,
// and applies it at once, like DecideLink. A case has any number of bookings and one corrections record. One
// that is a withheld juvenile's is withheld with the booking, and let go when the two are told apart.
func (s *Store) DecideCourtLink(ctx context.Context, caseID, person string, verdict models.LinkVerdict) error {
	return s.InTx(ctx, func(tx pgx.Tx) error {
		if err := db.LockLinkTables(ctx, tx); err != nil {
			return err
		}
		e, err := s.courtEnds(ctx, tx, caseID, person)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `delete from court_verdicts v using court_cases c where c.id = $1 and `+db.OfVerdict+` and v.verdict = 'confirmed' and v.family = $2
 and (v.person = $3 or $4 = 'confirmed' and v.family = 'corrections')`, e.caseKey, e.family, person, verdict)
		if err != nil {
			return fmt.Errorf("take back the verdict before: %w", err)
		}
		_, err = tx.Exec(ctx, `insert into court_verdicts (county_id, court_type, case_number, party, family, person, verdict, decided_at)
 select county_id, court_type, case_number, party, $2, $3, $4, $5 from court_cases where id = $1
 on conflict (county_id, court_type, case_number, party, family, person) do update set verdict = excluded.verdict, decided_at = excluded.decided_at, seq = excluded.seq`, e.caseKey, e.family, person, verdict, s.Now())
		if err != nil {
			return fmt.Errorf("keep the verdict: %w", err)
		}
		if verdict == models.LinkConfirmed {
			err = restoreConfirmedCourts(ctx, tx, s.Now())
		} else if _, err = tx.Exec(ctx, `delete from court_links where case_id = $1 and (rid = $2 or cid = $3)`, e.caseKey, e.rid, e.cid); err != nil {
			err = fmt.Errorf("remove the dismissed link: %w", err)
		}
		if err != nil || e.rid == nil {
			return err
		}
		return claim.New(s.DB).FollowBookings(ctx, tx, []int64{*e.rid}, "", 0, s.Now().UTC())
	})
}

// CourtPairOf reads a pair; unknown ids are a not-found Error.
func (s *Store) CourtPairOf(ctx context.Context, caseID, person string) (*models.CourtPair, error) {
	p := &models.CourtPair{SameCounty: true}
	err := s.InTx(ctx, func(tx pgx.Tx) error {
		e, err := s.courtEnds(ctx, tx, caseID, person)
		if err != nil {
			return err
		}
		return readCourtPair(ctx, tx, &e, p)
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// readCourtPair fills in what is known of the two ends.
func readCourtPair(ctx context.Context, tx pgx.Tx, e *courtEnds, p *models.CourtPair) error {
	c := &p.Case
	var hidden bool
	var records int
	err := tx.QueryRow(ctx, `select `+linkCaseColumns+`, c.case_number, c.withheld is not null, (select coalesce(sum(n), 0) from corrections_totals),
 (select v.verdict from court_verdicts v where `+db.OfVerdict+` and v.family = $2 and v.person = $3) from court_cases c where c.id = $1`, e.caseKey, e.family, e.person).
		Scan(&c.Key, &c.County, &c.Name, &c.Born, &c.Booking, &c.Offenses, &c.DismissedRoster, &c.DismissedGdc, &p.Number, &p.Withheld, &records, &p.Verdict)
	if err != nil {
		return fmt.Errorf("read case: %w", err)
	}
	p.Population = linkPopulation(records)
	if e.rid != nil {
		b := &models.LinkStay{}
		p.Stay = b
		err = tx.QueryRow(ctx, `select `+linkStayColumns+`, b.county_id = $2, b.withheld is not null`+linkStayTables+` where b.rid = $1`, e.rid, c.County).
			Scan(&b.RID, &b.ID, &b.Name, &b.Born, &b.Charges, &b.Numbers, &b.GdcID, &b.GdcBorn, &b.GdcConfidence, &p.SameCounty, &hidden)
	} else {
		p.Record = &models.LinkRecord{}
		err = tx.QueryRow(ctx, `select o.gdc_id, o.name, `+born("o")+`, o.withheld is not null from corrections_records o where o.cid = $1`, e.cid).
			Scan(&p.Record.GdcID, &p.Record.Name, &p.Record.Born, &hidden)
	}
	if err != nil {
		return fmt.Errorf("read person: %w", err)
	}
	p.Withheld = p.Withheld || hidden
	var l models.StoredLink
	err = tx.QueryRow(ctx, `select confidence, probability, reasons, origin, pinned from court_links where case_id = $1 and (rid = $2 or cid = $3)`, e.caseKey, e.rid, e.cid).
		Scan(&l.Confidence, &l.Probability, &l.Reasons, &l.Origin, &l.Pinned)
	switch {
	case err == nil:
		p.Stored = &l
	case !errors.Is(err, pgx.ErrNoRows):
		return fmt.Errorf("read link: %w", err)
	}
	return nil
}
