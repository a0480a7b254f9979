package notifier_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/internal/property"
	"rollcall/models"
)

// axe cuts the connection before the n-th statement from now on, as a crash would.
type axe struct {
	left int // 0: no cut
	fall context.CancelFunc
}

func (a *axe) strike() {
	if a.left > 0 {
		if a.left--; a.left == 0 {
			a.fall()
		}
	}
}

// TraceQueryStart sees every statement (pgx.QueryTracer).
func (a *axe) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	a.strike()
	return ctx
}

// TraceQueryEnd is of no interest.
func (*axe) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceCopyFromStart sees rows streamed in (pgx.CopyFromTracer).
func (a *axe) TraceCopyFromStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceCopyFromStartData) context.Context {
	a.strike()
	return ctx
}

// TraceCopyFromEnd is of no interest.
func (*axe) TraceCopyFromEnd(context.Context, *pgx.Conn, pgx.TraceCopyFromEndData) {}

// cut runs do with a context that the axe ends before one of its statements, when r draws so.
func (a *axe) cut(r *rapid.T, most int, do func(ctx context.Context) error) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	a.left, a.fall = max(0, rapid.IntRange(-2*most, most).Draw(r, "cut")), cancel
	err := do(ctx)
	a.left = 0
	return err
}

// trial is a desk beside the model of it.
type trial struct {
	*desk
	*world
	axe   *axe
	hook  *models.Webhook
	day   time.Time      // when this trial's people are booked
	named map[int]string // the people, by key
}

// names are invented and far from each other; nobody watches the last.
var names = []string{"QUILLFEATHER, MARLOWE", "MOONSAIL, ORLA", "BRACKENRIDGE, TOLLIVER"}

// TestEventsAreThoseOfTheModel runs random sequences of snapshots, edits of watchers, matches and
// crashes, and compares the events with the model's after every match.
func TestEventsAreThoseOfTheModel(t *testing.T) {
	t.Parallel()
	cutter := &axe{}
	d := newDesk(t, cutter)
	n := 0
	property.Check(t, 25, func(r *rapid.T) {
		n++
		d.source = "jail-" + strconv.Itoa(n)
		d.account = d.newAccount(r, d.source+"@example.org")
		d.clock = start.AddDate(0, 0, 10*n) // far from the juveniles of other trials, who hide whom they may be
		tr := &trial{desk: d, world: newWorld(), axe: cutter, day: d.clock, named: map[int]string{}}
		tr.hook = d.register(r, models.NewWebhook{Notices: []models.Notice{models.NoticeRetraction, models.NoticeWithheld}})
		defer tr.leave(r)
		for range rapid.IntRange(4, 16).Draw(r, "steps") {
			tr.step(r)
		}
		tr.drain(r, 0)
		tr.check(r)
	})
}

func (tr *trial) step(r *rapid.T) {
	switch rapid.SampledFrom([]string{"list", "list", "list", "watch", "edit", "dismiss", "match"}).Draw(r, "step") {
	case "list":
		tr.snapshotOnce(r)
	case "watch":
		tr.newWatcher(r)
	case "edit":
		tr.editWatcher(r)
	case "dismiss":
		tr.dismiss(r)
	case "match":
		tr.drain(r, 40)
		tr.check(r)
	}
}

func (tr *trial) snapshotOnce(r *rapid.T) {
	tr.clock = tr.clock.Add(rapid.SampledFrom([]time.Duration{30 * time.Minute, 30 * time.Minute, 30 * time.Minute, 5 * time.Hour, 30 * time.Hour}).Draw(r, "later"))
	complete := rapid.IntRange(0, 3).Draw(r, "whole") > 0
	listed := []person{}
	for _, key := range rapid.SliceOfNDistinct(rapid.IntRange(1, 4), 0, 4, rapid.ID).Draw(r, "listed") {
		p := person{key: strconv.Itoa(key), name: tr.nameOf(r, key), dob: fmt.Sprintf("19%d0-01-0%d", 4+key, key), bond: rapid.SampledFrom([]int64{0, 100_00, 250_50}).Draw(r, "bond")}
		p.booked = tr.day.AddDate(0, 0, -3*(key%2)) // every other one long ago
		if rapid.IntRange(0, 5).Draw(r, "withheld") == 0 {
			p.withheld = "juvenile"
		}
		listed = append(listed, p)
	}
	err := tr.axe.cut(r, 45, func(ctx context.Context) error { return tr.reconcile(ctx, r, complete, listed...) })
	if err == nil {
		tr.snapshot(tr.clock, complete, listed)
	}
}

// nameOf is the name of the person under a key: one for each trial, as a row of another person would be refused.
func (tr *trial) nameOf(r *rapid.T, key int) string {
	if tr.named[key] == "" {
		tr.named[key] = rapid.SampledFrom(names).Draw(r, "name")
	}
	return tr.named[key]
}

func (tr *trial) newWatcher(r *rapid.T) {
	name := rapid.SampledFrom(names[:2]).Draw(r, "watched")
	events := rapid.SliceOfNDistinct(rapid.SampledFrom(models.EventKinds()), 1, 3, rapid.ID).Draw(r, "events")
	paused := rapid.IntRange(0, 4).Draw(r, "paused") == 0
	var made *models.Watcher
	err := tr.axe.cut(r, 3, func(ctx context.Context) (err error) {
		made, err = tr.store.CreateWatcher(ctx, tr.account, &models.NewWatcher{Name: name, Events: &events, Paused: paused})
		return err
	})
	if err == nil {
		tr.moment++
		tr.watchers = append(tr.watchers, &watcher{id: made.ID, name: name, events: events, since: tr.moment, paused: paused, dismissed: map[string]bool{}, told: map[string]map[int]bool{}})
	}
}

func (tr *trial) editWatcher(r *rapid.T) {
	if len(tr.watchers) == 0 {
		return
	}
	w := rapid.SampledFrom(tr.watchers).Draw(r, "which")
	if w.ended {
		return
	}
	if rapid.IntRange(0, 3).Draw(r, "edit") == 0 {
		if tr.axe.cut(r, 4, func(ctx context.Context) error { return tr.store.DeleteWatcher(ctx, tr.account, w.id) }) == nil {
			w.ended = true
		}
		return
	}
	paused := !w.paused
	err := tr.axe.cut(r, 4, func(ctx context.Context) error {
		_, err := tr.store.UpdateWatcher(ctx, tr.account, w.id, models.WatcherChange{Paused: &paused})
		return err
	})
	if err == nil {
		tr.moment++
		if w.paused = paused; !paused {
			w.since = tr.moment
		}
	}
}

// dismiss says of one hit that it is somebody else.
func (tr *trial) dismiss(r *rapid.T) {
	rows, err := tr.db.Pool.Query(context.Background(), `select h.id, h.watcher_id, g.key from hits h join roster_claims g on g.record = h.rid where h.account_id = $1 order by h.at, g.key, h.id`, tr.account)
	require.NoError(r, err)
	type hit struct{ ID, Watcher, Key string }
	hits, err := pgx.CollectRows(rows, pgx.RowToStructByPos[hit])
	require.NoError(r, err)
	if len(hits) == 0 {
		return
	}
	h := hits[rapid.IntRange(0, len(hits)-1).Draw(r, "hit")]
	var told []string
	require.NoError(r, tr.db.Pool.QueryRow(context.Background(), `select array_agg(id) from hits where id = $1 and exists (select from published_bookings b where b.rid = hits.rid)`, h.ID).Scan(&told))
	if told == nil { // not shown, so nobody can say anything of it
		return
	}
	_, err = tr.store.Feedback(context.Background(), tr.account, h.ID, models.Dismiss)
	require.NoError(r, err)
	for _, w := range tr.watchers {
		if w.id == h.Watcher {
			w.dismissed[h.Key] = true
		}
	}
}

// drain matches what is open, perhaps until it is cut, and tells the model how far it came.
func (tr *trial) drain(r *rapid.T, cut int) {
	run := func(ctx context.Context) error { _, err := tr.matcher.Drain(ctx); return err }
	if cut == 0 {
		require.NoError(r, run(context.Background()))
	} else {
		_ = tr.axe.cut(r, cut, run) // how far it came stands in the database
	}
	rows, err := tr.db.Pool.Query(context.Background(), `select b.place || ' ' || c.kind || ' ' || g.key from changes c
 join (select id, row_number() over (order by id) as place from change_batches where source_id = $1) b on b.id = c.batch_id
 join roster_claims g on g.record = c.rid where c.matched_at is null`, tr.source)
	require.NoError(r, err)
	open, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(r, err)
	tr.world.match(func(c *change) bool { return !slices.Contains(open, fmt.Sprintf("%d %s %s", c.batch, c.kind, c.key)) })
	require.Len(r, tr.open, len(open), "the model knows every open change")
}

// check compares the events, and that each has its one delivery.
func (tr *trial) check(r *rapid.T) {
	rows, err := tr.db.Pool.Query(context.Background(), `select e.watcher_id, e.kind, g.key, (select count(*) from deliveries d where d.event_id = e.id), e.hit_id is not null
 from events e join roster_claims g on g.record = e.rid where e.account_id = $1 order by e.seq`, tr.account)
	require.NoError(r, err)
	got := []string{}
	var (
		id, kind, key string
		deliveries    int
		hit           bool
	)
	_, err = pgx.ForEachRow(rows, []any{&id, &kind, &key, &deliveries, &hit}, func() error {
		i := slices.IndexFunc(tr.watchers, func(w *watcher) bool { return w.id == id })
		got = append(got, fmt.Sprintf("%d %s %s", i, kind, key))
		if deliveries != 1 && tr.hook != nil || !hit {
			return fmt.Errorf("%s of %s has %d deliveries: %w", kind, key, deliveries, io.ErrUnexpectedEOF)
		}
		return nil
	})
	require.NoError(r, err)
	require.Equal(r, slices.Sorted(slices.Values(tr.events)), slices.Sorted(slices.Values(got)))
}

// leave ends the watchers, so that they see nothing of the next trial.
func (tr *trial) leave(r *rapid.T) {
	for _, w := range tr.watchers {
		if !w.ended {
			require.NoError(r, tr.store.DeleteWatcher(context.Background(), tr.account, w.id))
		}
	}
	_, err := tr.matcher.Drain(context.Background())
	require.NoError(r, err)
}
