package link

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// Run is one pass over the links, from BeginLinkRun to Close. At any time there is one, on however
// many replicas.
type Run struct {
	// Full tells that every booking is due.
	Full bool
	// Records counts the published corrections records, Population is that number as chance agreement
	// reckons with it: the next power of two. It seldom changes, and when it does, everything is due.
	// So a link depends on the booking, the records near it and the verdicts alone.
	Records, Population int
	// Versions are the former and the present faces of the records that changed since the last run,
	// none when Full.
	Versions []models.LinkRecord
	// Due are the keys of the bookings whose link may have to change, apart from those near Versions.
	Due []int64
	// DueCases are the keys of the court cases whose links may have to change, apart from those near Versions,
	// near the bookings of Due, and linked with bookings whose own link changed.
	DueCases []int64

	store    *Store
	lock     *pgx.Conn
	progress linkProgress
}

// linkProgress is the row of link_progress.
type linkProgress struct {
	roster, corrections, verdict, population, courts, courtVerdict int64
	unfinished                                                     bool
}

// linkLock is the session lock of link runs.
const linkLock = 0x6c696e6b // "link"

// born gives what a row's table knows of a birth date.
func born(table string) string {
	return `coalesce(to_char(` + table + `.dob, 'YYYY-MM-DD'), ` + table + `.birth_year::text, '')`
}

// BeginLinkRun waits for its turn and finds out what is due: what changed since the last run that was
// finished, or everything when full is set or that run was cut off.
func (s *Store) BeginLinkRun(ctx context.Context, full bool) (*Run, error) {
	r := &Run{Full: full, store: s}
	var err error
	if r.lock, err = s.lockLinks(ctx); err != nil {
		return nil, err
	}
	if err := s.InTx(ctx, func(tx pgx.Tx) error { return r.begin(ctx, tx) }); err != nil {
		r.Close()
		return nil, fmt.Errorf("begin linking: %w", err)
	}
	return r, nil
}

// lockLinks takes the lock on a connection of its own: its end, however it comes, gives the lock back.
func (s *Store) lockLinks(ctx context.Context) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, s.Pool().Config().ConnConfig)
	if err != nil {
		return nil, fmt.Errorf("connect to link: %w", err)
	}
	for _, step := range []string{`set statement_timeout = 0`, fmt.Sprintf(`select pg_advisory_lock(%d)`, linkLock)} {
		if _, err := conn.Exec(ctx, step); err != nil {
			_ = conn.Close(context.WithoutCancel(ctx))
			return nil, fmt.Errorf("wait for the turn to link: %w", err)
		}
	}
	return conn, nil
}

// Close gives the turn back. A run that was not finished makes the next one look at everything.
func (r *Run) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), db.ClosePatience)
	defer cancel()
	_ = r.lock.Close(ctx) // the server notices anyway
}

// begin reads the generations before what they speak of: what is committed in between is due again in
// the next run, and nothing is missed.
func (r *Run) begin(ctx context.Context, tx pgx.Tx) error {
	var last linkProgress
	err := tx.QueryRow(ctx, `select roster_gen, corrections_gen, verdict, population, courts_gen, court_verdict, unfinished from link_progress for update`).
		Scan(&last.roster, &last.corrections, &last.verdict, &last.population, &last.courts, &last.courtVerdict, &last.unfinished)
	if err != nil {
		return fmt.Errorf("read progress: %w", err)
	}
	err = tx.QueryRow(ctx, `select (select gen from generations where family = 'roster'), (select gen from generations where family = 'corrections'),
 (select coalesce(max(seq), 0) from link_verdicts), (select coalesce(sum(n), 0) from corrections_totals),
 (select gen from generations where family = 'courts'), (select coalesce(max(seq), 0) from court_verdicts)`).
		Scan(&r.progress.roster, &r.progress.corrections, &r.progress.verdict, &r.Records, &r.progress.courts, &r.progress.courtVerdict)
	if err != nil {
		return fmt.Errorf("read generations: %w", err)
	}
	r.Population = linkPopulation(r.Records)
	r.progress.population = int64(r.Population)
	r.Full = r.Full || last.unfinished || last.population != r.progress.population
	if !r.Full {
		if err := r.findChanges(ctx, tx, last); err != nil {
			return err
		}
		r.Full = len(r.Versions) > max(fewVersions, r.Records/5)
	}
	if r.Full {
		if err := r.takeEverything(ctx, tx); err != nil {
			return err
		}
	}
	if err := r.findDueCases(ctx, tx, last); err != nil {
		return err
	}
	if err := restoreConfirmed(ctx, tx, r.store.Now()); err != nil {
		return err
	}
	if err := restoreConfirmedCourts(ctx, tx, r.store.Now()); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `update link_progress set unfinished = true where $1 and not unfinished`, r.any())
	if err != nil {
		return fmt.Errorf("note begin: %w", err)
	}
	return nil
}

// fewVersions is how many changed records never make a run full, however few records there are.
const fewVersions = 20

// linkPopulation rounds up to a power of two, from 1024 on.
func linkPopulation(records int) int {
	return 1 << max(10, bits.Len(uint(max(records, 1)-1)))
}

// any tells whether there is something to do.
func (r *Run) any() bool {
	return r.Full || len(r.Due) > 0 || len(r.Versions) > 0 || len(r.DueCases) > 0
}

// takeEverything makes all bookings due.
func (r *Run) takeEverything(ctx context.Context, tx pgx.Tx) error {
	for _, step := range []string{`truncate linked_records`, `insert into linked_records (cid, gdc_id, name, born)
 select c.cid, c.gdc_id, c.name, ` + born("c") + ` from corrections_records c where c.withheld is null order by c.cid`} {
		if _, err := tx.Exec(ctx, step); err != nil {
			return fmt.Errorf("note all records: %w", err)
		}
	}
	r.Versions = nil
	return r.findDue(ctx, tx, `select rid from bookings order by rid`)
}

// findChanges compares the records of new generations with what the last run knew of them.
func (r *Run) findChanges(ctx context.Context, tx pgx.Tx, last linkProgress) error {
	_, err := tx.Exec(ctx, `create temp table changed on commit drop as
 select cid, l.gdc_id as old_id, l.name as old_name, l.born as old_born, n.gdc_id, n.name, n.born
 from (select cid from corrections_records where gen > $1 union select record from gone_records where family = 'corrections' and gen > $1) t
 left join linked_records l using (cid)
 left join (select c.cid, c.gdc_id, c.name, `+born("c")+` as born from corrections_records c where c.withheld is null and c.gen > $1) n using (cid)
 where (l.name, l.born) is distinct from (n.name, n.born)`, last.corrections)
	if err != nil {
		return fmt.Errorf("find changed records: %w", err)
	}
	for _, step := range []string{
		`delete from linked_records l using changed c where c.cid = l.cid`,
		`insert into linked_records (cid, gdc_id, name, born) select cid, gdc_id, name, born from changed where name is not null`,
	} {
		if _, err := tx.Exec(ctx, step); err != nil {
			return fmt.Errorf("note changed records: %w", err)
		}
	}
	rows, err := tx.Query(ctx, `select old_id, old_name, old_born from changed where old_name is not null
 union all select gdc_id, name, born from changed where name is not null`)
	if err != nil {
		return fmt.Errorf("read changed records: %w", err)
	}
	if r.Versions, err = pgx.CollectRows(rows, pgx.RowToStructByPos[models.LinkRecord]); err != nil {
		return fmt.Errorf("read changed records: %w", err)
	}
	// Bookings linked with a changed record are near what it was, as whether a pair is near depends on the two alone.
	return r.findDue(ctx, tx, `select rid from bookings where gen > $1
 union select b.rid from link_verdicts v join bookings b on b.id = v.roster_id where v.seq > $2
 union select b.rid from link_verdicts v join changed c on c.old_id = v.gdc_id join bookings b on b.id = v.roster_id where v.verdict = 'confirmed' order by 1`, last.roster, last.verdict)
}

func (r *Run) findDue(ctx context.Context, tx pgx.Tx, query string, args ...any) error {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("find due bookings: %w", err)
	}
	if r.Due, err = pgx.CollectRows(rows, pgx.RowTo[int64]); err != nil {
		return fmt.Errorf("find due bookings: %w", err)
	}
	return nil
}

// Finish notes how far the links have come.
func (r *Run) Finish(ctx context.Context) error {
	p := r.progress
	_, err := r.store.Pool().Exec(ctx, `update link_progress set roster_gen = $1, corrections_gen = $2, verdict = $3, population = $4, courts_gen = $5, court_verdict = $6,
 unfinished = false`, p.roster, p.corrections, p.verdict, p.population, p.courts, p.courtVerdict)
	if err != nil {
		return fmt.Errorf("note progress of linking: %w", err)
	}
	return nil
}
