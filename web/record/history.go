package record

import (
	"slices"
	"time"

	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/words"
)

// changesShown is how many changes a page shows at most, the newest ones: it stays below 100 kB.
const changesShown = 100

// timeline is the changes of a record, newest first. Changes that one run brought stand together.
type timeline struct {
	Runs []run
	// Shown is how many changes Runs have, of Total that there are.
	Shown, Total int
}

// run is what one run of a source changed.
type run struct {
	At      time.Time
	Source  string
	Changes []change
}

// change is a fact that changed.
type change struct {
	Name, From, To words.Text
	Had            bool // the fact was known before
}

// calm is the casing of pages for readers.
var calm = fact.Casing{
	Words: func(text string) words.Text { return words.Plain(page.Calm(text)) },
	Name:  func(text string) words.Text { return words.Plain(page.CalmName(text)) },
	Term:  page.Term,
}

// timelineOf returns changes by run. They come oldest first, and within a run in the order in which they were stored. now is the
// release that holds; nil: none does.
func timelineOf(changes []*models.RecordChange, sources map[string]*models.Source, now *models.Release) timeline {
	t := timeline{Total: len(changes)}
	estimated := estimatedIn(changes)
	for _, c := range changes {
		told := estimated[moment{c.At.UnixNano(), c.SourceID}]
		if c.Field == "releaseInferred" && told.dated {
			t.Total-- // the release of the same run says it
			continue
		}
		title := c.SourceID
		if src := sources[c.SourceID]; src != nil {
			title = src.Title
		}
		i := slices.IndexFunc(t.Runs, func(r run) bool { return r.At.Equal(c.At) && r.Source == title })
		if i < 0 {
			i = len(t.Runs)
			t.Runs = append(t.Runs, run{At: c.At, Source: title})
		}
		from, to := calm.Change(c.Field, c.Before, c.After)
		one := change{Name: fact.Name(c.Field), From: from, To: to, Had: c.Before != nil}
		if c.Field == "releaseDate" && told.estimated {
			one.Name = estimate(c.After, now)
		}
		t.Runs[i].Changes = append(t.Runs[i].Changes, one)
	}
	slices.SortStableFunc(t.Runs, func(a, b run) int { return b.At.Compare(a.At) })
	t.cut()
	return t
}

// moment is one run of one source.
type moment struct {
	at     int64
	source string
}

// release is what a run changed of a release: whether it made it an estimate, and whether its time is among the changes.
type release struct{ estimated, dated bool }

// estimatedIn returns what runs changed of whether a release is estimated.
func estimatedIn(changes []*models.RecordChange) map[moment]release {
	runs := map[moment]release{}
	for _, c := range changes {
		at := moment{c.At.UnixNano(), c.SourceID}
		r := runs[at]
		switch c.Field {
		case "releaseInferred":
			r.estimated = c.After != nil && *c.After == "true"
		case "releaseDate":
			r.dated = true
		}
		runs[at] = r
	}
	return runs
}

// estimate is what an estimated release is called. Only of the one that holds is it known whether the jail reported it.
func estimate(stated *string, now *models.Release) words.Text {
	at, err := time.Parse(time.RFC3339, models.EmptyIfNil(stated))
	if err == nil && now.Absent() && now.At.Truncate(time.Second).Equal(at) {
		return words.T("No longer listed")
	}
	return words.T("Release estimated")
}

// cut keeps the newest changes.
func (t *timeline) cut() {
	for i, r := range t.Runs {
		left := changesShown - t.Shown
		if left == 0 {
			t.Runs = t.Runs[:i]
			return
		}
		t.Runs[i].Changes = r.Changes[:min(left, len(r.Changes))]
		t.Shown += len(t.Runs[i].Changes)
	}
}
