package operate

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"rollcall/internal/plural"
	"rollcall/models"
	"rollcall/web/page"
)

// jobGroup is jobs of the list that failed alike, or one job.
type jobGroup struct {
	// Job is the one of them that was tried last.
	models.Job
	// All are they, as they are listed.
	All []models.Job
	// First and Last are when the first and the last of them were tried.
	First, Last time.Time
}

// Several reports whether the group is of more than one job.
func (g *jobGroup) Several() bool { return len(g.All) > 1 }

// Address returns the address below which the group's forms are sent.
func (g *jobGroup) Address() string {
	if g.Several() {
		return "/operator/jobs"
	}
	return "/operator/jobs/" + strconv.FormatInt(g.ID, 10)
}

// alike is a group with the page that lists it.
type alike struct {
	Page  *jobsBody
	Group *jobGroup
}

// alikeOf returns a group with its page; templates pass one by calling it.
func alikeOf(b *jobsBody, g *jobGroup) alike { return alike{b, g} }

// tried returns when a job was last tried; one that never was counts from when it was made.
func tried(j *models.Job) time.Time {
	if j.Attempted != nil {
		return *j.Attempted
	}
	return j.Created
}

// grouped puts jobs together that failed alike: of one kind, in one state, with one error. A job without an error stands alone. Groups
// and their jobs are in the order of the list.
func grouped(jobs []models.Job) []*jobGroup {
	type likeness struct{ kind, state, err string }
	var all []*jobGroup
	known := map[likeness]*jobGroup{}
	for _, j := range jobs {
		like, at := likeness{j.Kind, j.State, j.Error}, tried(&j)
		g := known[like]
		if g == nil || j.Error == "" {
			g = &jobGroup{Job: j, First: at, Last: at}
			known[like], all = g, append(all, g)
		}
		g.All = append(g.All, j)
		if at.Before(g.First) {
			g.First = at
		}
		if at.After(g.Last) {
			g.Job, g.Last = j, at
		}
	}
	return all
}

// jobsAction returns the handler of a form that changes several jobs at once. Those that are gone or whose state no longer allows it are
// left alone; where that is all of them, the page says so.
func (s Site) jobsAction(action, done string, allowed func(state string) bool, change func(context.Context, int64) error) http.HandlerFunc {
	return s.Pages.Operator(func(v *page.Visit) error {
		changed := 0
		jobs := v.R.PostForm["job"] //nolint:forbidigo // the form that came, not the call of that name
		for _, one := range jobs[:min(jobsShown, len(jobs))] {
			id, err := strconv.ParseInt(one, 10, 64)
			if err != nil {
				return page.ErrNoPage
			}
			state, err := s.Store.JobState(v.R.Context(), id)
			if err == nil && allowed(state) {
				err = change(v.R.Context(), id)
			} else if err == nil {
				continue
			}
			if slices.Contains([]models.Code{models.CodeNotFound, models.CodeConflict}, models.CodeOf(err)) {
				continue // it ended meanwhile
			}
			if err != nil {
				return cmp.Or(s.trailJobs(v, action, changed), err)
			}
			changed++
		}
		if changed == 0 {
			return &models.Error{Code: models.CodeConflict, Message: "none of these jobs is waiting any more; nothing was changed. Reload the jobs page"}
		}
		if err := s.trailJobs(v, action, changed); err != nil {
			return err
		}
		return page.Redirect(v.W, v.R, whereJobs(done))
	})
}

// trailJobs writes in the trail that so many jobs were changed, if any was.
func (s Site) trailJobs(v *page.Visit, action string, n int) error {
	if n == 0 {
		return nil
	}
	return s.Pages.Trail(v, action, plural.Of(n, "job"))
}
