package alert_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/internal/modelstest"
)

// inbox are the hits of an account by the id of their booking.
func (b *bundle) inbox(t *testing.T, account string, f models.HitFilter) (ids []string, byRecord map[string]*models.Hit) {
	t.Helper()
	page, err := b.Store.Inbox(b.Ctx, account, f, models.Page{Limit: 50})
	require.NoError(t, err)
	ids, byRecord = []string{}, map[string]*models.Hit{}
	for _, h := range page.Hits {
		ids, byRecord[h.RecordID] = append(ids, h.RecordID), h
	}
	return ids, byRecord
}

// member adds a member to an account.
func (b *bundle) member(t *testing.T, account, email string) string {
	t.Helper()
	id := models.NewID("user")
	b.Exec(t, `insert into users (id, account_id, email, password, role, created_at) values ($1, $2, $3, 'x', 'member', now())`, id, account, email)
	return id
}

func TestTheInboxFollowsWhatIsDoneWithItsHits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const one, two, three, four, five = "fulton-2026-000001", "fulton-2026-000002", "fulton-2026-000003", "fulton-2026-000004", "fulton-2026-000005"
	all := []string{one, two, three, four, five}
	a := b.tell(t, all...)
	bea := b.member(t, a.account, "bea@example.org")
	for i, id := range all {
		b.Event(t, modelstest.Event{Watcher: a.watcher.ID, Record: id, Kind: models.EventBooking, At: b.Now.Add(time.Duration(i) * time.Minute)})
	}
	ids, hits := b.inbox(t, a.account, models.HitFilter{})
	require.Equal(t, []string{five, four, three, two, one}, ids, "newest first")
	require.Equal(t, models.HitUnread, hits[one].State)
	do := func(record string, what models.Handling) *models.Hit {
		t.Helper()
		h, err := b.Store.Handle(b.Ctx, a.account, hits[record].ID, what)
		require.NoError(t, err)
		return h
	}
	require.Equal(t, models.HitConfirmed, do(one, models.Handling{Answer: new(models.Confirm), Actor: models.Actor{UserID: bea}}).State)
	require.Equal(t, models.HitDismissed, do(two, models.Handling{Answer: new(models.Dismiss)}).State)
	taken := do(three, models.Handling{Assignee: new("Bea@Example.org"), Actor: models.Actor{UserID: bea}})
	require.Equal(t, []any{models.HitAssigned, new("bea@example.org"), "1", new("bea@example.org"), &b.Now}, []any{taken.State, taken.Assignee, taken.Version(), taken.HandledBy, taken.HandledAt})
	require.Equal(t, models.HitRead, do(four, models.Handling{Read: new(true)}).State)

	counts, err := b.Store.HitCounts(b.Ctx, a.account, models.HitFilter{States: []models.HitState{models.HitRead}})
	require.NoError(t, err)
	require.Equal(t, models.HitCounts{Unread: 1, Read: 1, Assigned: 1, Confirmed: 1, Dismissed: 1}, counts)
	for state, want := range map[models.HitState]string{models.HitUnread: five, models.HitRead: four, models.HitAssigned: three, models.HitConfirmed: one, models.HitDismissed: two} {
		ids, _ := b.inbox(t, a.account, models.HitFilter{States: []models.HitState{state}})
		require.Equal(t, []string{want}, ids, state)
	}
	ids, _ = b.inbox(t, a.account, models.HitFilter{Assignee: new("BEA@example.org")})
	require.Equal(t, []string{three}, ids)

	t.Log("what is taken back is as it was before")
	require.Equal(t, models.HitUnread, do(one, models.Handling{Answer: new(models.Unsure), Actor: models.Actor{UserID: bea}}).State)
	require.Equal(t, models.HitUnread, do(four, models.Handling{Read: new(false)}).State)
	require.Equal(t, models.HitUnread, do(three, models.Handling{Assignee: new("")}).State)

	t.Log("a member who leaves keeps no hit")
	do(three, models.Handling{Assignee: new("bea@example.org")})
	b.Exec(t, `delete from users where id = $1`, bea)
	_, hits = b.inbox(t, a.account, models.HitFilter{})
	require.Equal(t, models.HitUnread, hits[three].State)
	require.Equal(t, new("bea@example.org"), hits[one].HandledBy, "what somebody did is still told")

	_, err = b.Store.Handle(b.Ctx, a.account, hits[one].ID, models.Handling{Assignee: new("mallory@example.org")})
	requireCode(t, models.CodeInvalidRequest, err)
	_, err = b.Store.Handle(b.Ctx, b.tell(t).account, hits[one].ID, models.Handling{Read: new(true)})
	requireCode(t, models.CodeNotFound, err)
}

func TestTheInboxIsPagedAndNarrowed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	all := []string{"fulton-2026-000001", "fulton-2026-000002", "fulton-2026-000003"}
	a, other := b.tell(t, all...), b.tell(t)
	labelled := b.watch(t, a.account, models.NewWatcher{Label: new("docket")})
	for i, id := range all {
		b.Event(t, modelstest.Event{Watcher: a.watcher.ID, Record: id, Kind: models.EventBooking, At: b.Now.Add(time.Duration(i) * time.Minute)})
	}
	b.Event(t, modelstest.Event{Watcher: labelled.ID, Record: all[0], Kind: models.EventBooking})
	b.event(t, other, all[0], models.EventBooking)

	var seen []string
	page := models.Page{Limit: 2}
	for {
		out, err := b.Store.Inbox(b.Ctx, a.account, models.HitFilter{Watcher: &a.watcher.ID}, page)
		require.NoError(t, err)
		for _, h := range out.Hits {
			seen = append(seen, h.RecordID)
		}
		if !out.PageInfo.HasNextPage {
			break
		}
		page.After, err = out.PageInfo.End()
		require.NoError(t, err)
	}
	require.Equal(t, []string{all[2], all[1], all[0]}, seen)
	_, err := b.Store.Inbox(b.Ctx, a.account, models.HitFilter{}, models.Page{Limit: 1, After: "elsewhere"})
	requireCode(t, models.CodeInvalidParameter, err)
	ids, _ := b.inbox(t, a.account, models.HitFilter{Label: new("docket")})
	require.Equal(t, []string{all[0]}, ids)

	unread := func(most int) int {
		t.Helper()
		n, err := b.Store.UnreadHits(b.Ctx, a.account, most)
		require.NoError(t, err)
		return n
	}
	require.Equal(t, []int{4, 3}, []int{unread(100), unread(3)}, "counting stops where it is told to")
	b.withhold(t, all[0])
	require.Equal(t, 2, unread(100), "hits on withheld records are in no count")
	ids, _ = b.inbox(t, a.account, models.HitFilter{})
	require.Equal(t, []string{all[2], all[1]}, ids)
	require.NoError(t, b.Store.DeleteWatcher(b.Ctx, a.account, a.watcher.ID))
	require.Zero(t, unread(100), "nor are those of deleted alerts")
}

func TestASecondAnswerDoesNotReplaceTheFirstOneUnseen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.tell(t, "fulton-2026-000001")
	b.event(t, a, "fulton-2026-000001", models.EventBooking)
	_, hits := b.inbox(t, a.account, models.HitFilter{})
	hit := hits["fulton-2026-000001"]
	people := []string{b.member(t, a.account, "bea@example.org"), b.member(t, a.account, "cyd@example.org")}
	verdicts := []models.HitFeedback{models.Confirm, models.Dismiss}

	t.Log("two people answer at once, both from what they saw")
	errs := make([]error, 2)
	var both sync.WaitGroup
	for i := range people {
		both.Go(func() {
			_, errs[i] = b.Store.Handle(b.Ctx, a.account, hit.ID, models.Handling{Answer: &verdicts[i], Actor: models.Actor{UserID: people[i]}, Seen: new(hit.Version())})
		})
	}
	both.Wait()
	first, second := 0, 1
	if errs[0] != nil {
		first, second = 1, 0
	}
	require.NoError(t, errs[first])
	requireCode(t, models.CodeConflict, errs[second])
	who, what := []string{"bea@example.org", "cyd@example.org"}[first], []string{"confirmed", "dismissed"}[first]
	require.EqualError(t, errs[second], who+" changed this hit on Mar 10, 11:00 AM ET: it is "+what+" now. Your change was not made")
	now, err := b.Store.Hit(b.Ctx, a.account, hit.ID)
	require.NoError(t, err)
	require.Equal(t, []any{new(verdicts[first]), &who}, []any{now.Feedback, now.HandledBy})

	t.Log("who has seen the answer may change it")
	_, err = b.Store.Handle(b.Ctx, a.account, hit.ID, models.Handling{Assignee: new("cyd@example.org"), Answer: new(models.Unsure), Actor: models.Actor{UserID: people[second]}, Seen: new(now.Version())})
	require.NoError(t, err)
	_, err = b.Store.Handle(b.Ctx, a.account, hit.ID, models.Handling{Read: new(true), Seen: new(now.Version())})
	require.ErrorContains(t, err, "it is assigned to cyd@example.org now")
}
