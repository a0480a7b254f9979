package link

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// restoreConfirmed pins the confirmed pairs whose booking or record came back under its id.
func restoreConfirmed(ctx context.Context, tx pgx.Tx, now time.Time) error {
	_, err := tx.Exec(ctx, `insert into gdc_links as l (rid, cid, confidence, probability, reasons, origin, pinned, linked_at)
 select b.rid, c.cid, 'high', 1, '{confirmed by an operator}', 'operator', true, $1 from link_verdicts v
 join bookings b on b.id = v.roster_id join corrections_records c on c.gdc_id = v.gdc_id where v.verdict = 'confirmed'
 on conflict (rid) do update set cid = excluded.cid, confidence = 'high', probability = 1, reasons = excluded.reasons,
  mugshot_match = l.mugshot_match and l.cid = excluded.cid, origin = 'operator', pinned = true, linked_at = excluded.linked_at
 where l.origin <> 'operator' or l.cid <> excluded.cid`, now)
	if err != nil {
		return fmt.Errorf("pin confirmed links: %w", err)
	}
	return nil
}

// DecideLink keeps an operator's verdict and applies it at once: confirming pins the link and takes the
// place of any other record, dismissing removes it, a pinned one too; what else may fit the booking is
// found by the next link run. Unknown ids are a not-found Error.
func (s *Store) DecideLink(ctx context.Context, rosterID, gdcID string, verdict models.LinkVerdict) error {
	return s.InTx(ctx, func(tx pgx.Tx) error {
		if err := db.LockLinkTables(ctx, tx); err != nil {
			return err
		}
		rid, cid, err := linkEnds(ctx, tx, rosterID, gdcID)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `delete from link_verdicts where roster_id = $1 and verdict = 'confirmed' and ($2 = 'confirmed' or gdc_id = $3)`, rosterID, verdict, gdcID)
		if err != nil {
			return fmt.Errorf("take back the verdict before: %w", err)
		}
		_, err = tx.Exec(ctx, `insert into link_verdicts (roster_id, gdc_id, verdict, decided_at) values ($1, $2, $3, $4)
 on conflict (roster_id, gdc_id) do update set verdict = excluded.verdict, decided_at = excluded.decided_at, seq = excluded.seq`, rosterID, gdcID, verdict, s.Now())
		if err != nil {
			return fmt.Errorf("keep the verdict: %w", err)
		}
		if verdict == models.LinkConfirmed {
			return restoreConfirmed(ctx, tx, s.Now())
		}
		if _, err := tx.Exec(ctx, `delete from gdc_links where rid = $1 and cid = $2`, rid, cid); err != nil {
			return fmt.Errorf("remove the dismissed link: %w", err)
		}
		return nil
	})
}

// linkEnds finds the keys of a pair.
func linkEnds(ctx context.Context, tx pgx.Tx, rosterID, gdcID string) (rid, cid int64, err error) {
	err = tx.QueryRow(ctx, `select rid from bookings where id = $1`, rosterID).Scan(&rid)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, 0, models.NotFound("there is no booking " + rosterID)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("find booking: %w", err)
	}
	err = tx.QueryRow(ctx, `select cid from corrections_records where gdc_id = $1`, gdcID).Scan(&cid)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, 0, models.NotFound("there is no corrections record " + gdcID)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("find corrections record: %w", err)
	}
	return rid, cid, nil
}

// LinkPairOf reads a pair by its ids; unknown ones are a not-found Error.
func (s *Store) LinkPairOf(ctx context.Context, rosterID, gdcID string) (*models.LinkPair, error) {
	p := &models.LinkPair{}
	err := s.InTx(ctx, func(tx pgx.Tx) error {
		rid, cid, err := linkEnds(ctx, tx, rosterID, gdcID)
		if err != nil {
			return err
		}
		var records int
		err = tx.QueryRow(ctx, `select b.rid, b.name, `+born("b")+`, array(select v.gdc_id from link_verdicts v where v.roster_id = b.id and v.verdict = 'dismissed'),
 c.gdc_id, c.name, `+born("c")+`, b.withheld is not null or c.withheld is not null,
 (select v.verdict from link_verdicts v where v.roster_id = b.id and v.gdc_id = c.gdc_id), (select coalesce(sum(n), 0) from corrections_totals)
 from bookings b, corrections_records c where b.rid = $1 and c.cid = $2`, rid, cid).
			Scan(&p.Booking.RID, &p.Booking.Name, &p.Booking.Born, &p.Booking.Dismissed, &p.Record.GdcID, &p.Record.Name, &p.Record.Born, &p.Withheld, &p.Verdict, &records)
		if err != nil {
			return fmt.Errorf("read pair: %w", err)
		}
		p.Population = linkPopulation(records)
		var l models.StoredLink
		err = tx.QueryRow(ctx, `select c.gdc_id, l.confidence, l.probability, l.reasons, l.origin, l.pinned from gdc_links l join corrections_records c using (cid) where l.rid = $1`, rid).
			Scan(&l.GdcID, &l.Confidence, &l.Probability, &l.Reasons, &l.Origin, &l.Pinned)
		switch {
		case err == nil:
			p.Stored = &l
		case !errors.Is(err, pgx.ErrNoRows):
			return fmt.Errorf("read link: %w", err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}
