package operate

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/models"
	"rollcall/web/page"
)

// jobsShown is how many jobs the page shows.
const jobsShown = 100

// JobControl changes jobs of River, whichever process works them.
type JobControl interface {
	// RetryJob makes a job run as soon as there is room, also one that has ended.
	RetryJob(ctx context.Context, id int64) error
	// CancelJob ends a job; a running one is asked to stop.
	CancelJob(ctx context.Context, id int64) error
	// ReadSource makes a source be read as soon as there is room. One that is being read is not
	// read twice.
	ReadSource(ctx context.Context, id string) error
}

// jobsBody is what the page of jobs shows.
type jobsBody struct {
	// Jobs that are listed: failed, running, waiting, cancelled or done.
	Group  string
	Queues []models.QueueState
	Jobs   []*jobGroup
	// Listed is how many jobs those are.
	Listed                                    int
	Now                                       time.Time
	Failed, Running, Waiting, Cancelled, Done int
}

// Retriable reports whether the page offers to run a job now.
func (jobsBody) Retriable(state string) bool {
	return state == "retryable" || state == "discarded" || state == "cancelled" || state == "scheduled"
}

// Stoppable reports whether the page offers to cancel a job.
func (jobsBody) Stoppable(state string) bool {
	return state != "completed" && state != "discarded" && state != "cancelled"
}

// Total returns how many jobs there are of the state that is listed.
func (b *jobsBody) Total() int {
	return map[string]int{"failed": b.Failed, "running": b.Running, "waiting": b.Waiting, "cancelled": b.Cancelled, "done": b.Done}[b.Group]
}

// jobsPage shows River's queue to operators. River's own interface is not used: it is a program
// of 1.2 MB whose scripts carry no nonce, so the policy of these pages would have to be weakened
// for it.
func (s Site) jobsPage(v *page.Visit) error {
	ctx := v.R.Context()
	b := jobsBody{Group: v.R.URL.Query().Get("state"), Now: s.Now()}
	if b.Group == "" {
		b.Group = "failed"
	}
	var err error
	if b.Queues, err = s.Store.JobQueues(ctx); err != nil {
		return err
	}
	for _, q := range b.Queues {
		b.Failed += q.Retryable + q.Discarded
		b.Running += q.Running
		b.Waiting += q.Waiting()
		b.Cancelled += q.Cancelled
		b.Done += q.Done
	}
	jobs, err := s.Store.Jobs(ctx, b.Group, jobsShown)
	if err != nil {
		return page.ErrNoPage
	}
	for i := range jobs {
		if jobs[i].State == "cancelled" { // River's words for that say no more
			jobs[i].Error = ""
		}
	}
	b.Jobs, b.Listed = grouped(jobs), len(jobs)
	return s.Pages.Page(v, "jobs", page.View{Title: "Jobs", Fresh: true, Body: &b})
}

// stateWords are the states of River as people say them.
var stateWords = map[string]string{"completed": "done", "discarded": "given up", "retryable": "waiting to be tried again", "available": "waiting", "scheduled": "waiting"}

// whereJobs returns the address of the list on which jobs are after a form, which then says done.
func whereJobs(done string) string {
	group := "cancelled"
	if strings.HasPrefix(done, "retried") {
		group = "waiting"
	}
	return "/operator/jobs?state=" + group + "&done=" + done
}

// jobAction returns the handler of a form that changes a job in a state which allows it, and
// writes a line in the trail of the operator's account. The page of the form may be older than
// the state, so it is read again.
func (s Site) jobAction(action, did string, allowed func(state string) bool, change func(context.Context, int64) error) http.HandlerFunc {
	return s.Pages.Operator(func(v *page.Visit) error {
		done := did
		id, err := strconv.ParseInt(chi.URLParam(v.R, "id"), 10, 64)
		if err != nil {
			return page.ErrNoPage
		}
		state, err := s.Store.JobState(v.R.Context(), id)
		if err != nil {
			return err
		}
		if !allowed(state) {
			return &models.Error{
				Code:    models.CodeConflict,
				Message: "this job is " + cmp.Or(stateWords[state], state) + " already; nothing was changed. Reload the jobs page",
			}
		}
		if err := change(v.R.Context(), id); err != nil {
			return err
		}
		if err := s.Pages.Trail(v, action, strconv.FormatInt(id, 10)); err != nil {
			return err
		}
		if state == "running" { // its worker is asked to stop, which takes a moment
			done = "stopping"
		}
		return page.Redirect(v.W, v.R, whereJobs(done))
	})
}
