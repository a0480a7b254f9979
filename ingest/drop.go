package ingest

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rollcall/ingest/fetch"
	"rollcall/ingest/raw"
	"rollcall/internal/plural"
	"rollcall/models"
	"rollcall/models/source"
)

// readDrop reads what is new in the place where the source's files are dropped, oldest first, each file
// once: a file that was written again is new. Files of a run that failed are read again by the next one.
func (r *Runner) readDrop(ctx context.Context, s *Source, entry *source.Entry) (*Report, error) {
	reading := r.Now()
	until, cancel := context.WithTimeout(ctx, s.Limits.Time)
	defer cancel()
	drop, groups, err := r.openDrop(until, s, reading)
	if err != nil {
		// A place that cannot be opened is a failed run, so that operators and /v1/sources see it.
		return r.runOnce(ctx, &run{source: s, entry: entry}, func(context.Context, string) (*fetch.Found, error) { return nil, err })
	}
	defer drop.Close()
	if len(groups) == 0 {
		return r.nothingNew(ctx, s)
	}
	// Each snapshot is a run of its own: one that fails leaves those before it applied, and its files are read again.
	total := &Report{}
	for i, group := range groups {
		if i > 0 { // the run before changed what is known
			if entry, err = r.entry(ctx, s); err != nil {
				return nil, err
			}
		}
		report, err := r.runOnce(ctx, &run{source: s, entry: entry, reading: reading}, func(_ context.Context, dir string) (*fetch.Found, error) {
			r.progress("fetch", 0, 0, 0)
			// The place was listed, and these files are known to be unreadable: nothing is copied.
			if group.unread != nil {
				return nil, group.unread
			}
			return s.bring(until, drop, group.files, dir)
		})
		if err != nil {
			return nil, err
		}
		if report.State != source.RunFailed || group.unread != nil { // another name makes it another file
			if err := r.Store.TakeFiles(ctx, s.ID, report.Run, group.marks(report.aside), r.Now()); err != nil {
				return nil, err
			}
		}
		total.add(report, len(groups))
	}
	return total, nil
}

// dropped is what one run reads of the place: a snapshot, or all that is new. Where unread is set nothing of it is read, and
// its run says why, once.
type dropped struct {
	files  []fetch.Object
	unread error
	early  bool // until their instant comes
}

// marks are what is noted of the files that were read. Those that are early are new again when their instant comes, and those
// that could not be read are read again by the next run.
func (d dropped) marks(aside []int) map[string]string {
	m := make(map[string]string, len(d.files))
	for i, o := range d.files {
		switch {
		case d.early:
			m[o.Name] = earlyMark(o)
		case !slices.Contains(aside, i):
			m[o.Name] = o.Mark
		}
	}
	return m
}

// earlyMark is the mark of a file that is early. It differs from the file's own, so the file is new when its instant comes.
func earlyMark(o fetch.Object) string { return "early " + o.Mark }

// openDrop opens the place and returns what is to be read now.
func (r *Runner) openDrop(ctx context.Context, s *Source, now time.Time) (*fetch.Drop, []dropped, error) {
	// The caller closes the place when it has copied what it needs. Where it cannot be listed, it is closed here.
	drop, err := s.Transport.Drop(ctx, r.Keys)
	if err != nil {
		return nil, nil, err
	}
	files, err := drop.List(ctx)
	if err == nil {
		var taken map[string]string
		if taken, err = r.takenFiles(ctx, s, files); err == nil {
			var groups []dropped
			if groups, err = s.due(files, taken, now.Add(Ahead)); err == nil {
				return drop, groups, nil
			}
		}
	}
	drop.Close()
	return nil, nil, err
}

// takenFiles returns the marks of the files that were read, and forgets those that are long gone.
func (r *Runner) takenFiles(ctx context.Context, s *Source, files []fetch.Object) (map[string]string, error) {
	taken, err := r.Store.TakenFiles(ctx, s.ID)
	if err != nil {
		return nil, err
	}
	// Names come and go for years. They are kept as long as raw data are by default, so a file that is put back soon is known.
	gone := maps.Clone(taken)
	for _, o := range files {
		delete(gone, o.Name)
	}
	if len(gone) > 0 {
		err = r.Store.ForgetFiles(ctx, s.ID, slices.Collect(maps.Keys(gone)), r.Now().Add(-raw.Keep))
	}
	return taken, err
}

// due groups files as snapshots, oldest first, and leaves out what was taken: of a source that lists
// everybody, a snapshot with one new file is read whole, as half of it would release the other half.
// What goes beyond the limits waits for the next run, and so does what speaks of an instant after latest, without
// keeping the rest from being read.
func (s *Source) due(files []fetch.Object, taken map[string]string, latest time.Time) (due []dropped, err error) {
	isNew := func(o fetch.Object) bool { return taken[o.Name] != o.Mark }
	var untimed []fetch.Object
	files = slices.DeleteFunc(files, func(o fetch.Object) bool {
		if s.untimed(o) && isNew(o) {
			untimed = append(untimed, o)
		}
		return s.untimed(o)
	})
	// The order decides what is late, so files of one instant are in the order of their names.
	slices.SortFunc(files, func(a, b fetch.Object) int {
		if c := a.At.Compare(b.At); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
	var early []fetch.Object
	groups := slices.DeleteFunc(s.groups(files), func(g []fetch.Object) bool {
		// Files whose names state no instant are one snapshot, which is not whole without these.
		if !g[len(g)-1].At.After(latest) || s.lists() && s.Transport.Observed.Regex == "" {
			return !slices.ContainsFunc(g, isNew)
		}
		if slices.ContainsFunc(g, func(o fetch.Object) bool { return taken[o.Name] != earlyMark(o) }) {
			early = append(early, g...)
		}
		return true
	})
	// What does not fit into one run waits for the next. The oldest come first, so nothing becomes late by that.
	if groups, err = s.within(groups); err != nil {
		return nil, err
	}
	if !s.lists() && len(groups) > 0 {
		groups = [][]fetch.Object{slices.Concat(groups...)}
	}
	for _, g := range groups {
		due = append(due, dropped{files: g})
	}
	if len(early) > 0 {
		due = append(due, dropped{early, s.future(early), true})
	}
	if len(untimed) > 0 {
		due = append(due, dropped{untimed, s.misnamed(untimed[0].Name), false})
	}
	return due, nil
}

// groups are the files, ordered by their instants, of which each is read whole or not at all.
func (s *Source) groups(files []fetch.Object) [][]fetch.Object {
	if s.lists() {
		return s.snapshotsOf(files)
	}
	groups := make([][]fetch.Object, len(files))
	for i, o := range files {
		groups[i] = []fetch.Object{o}
	}
	return groups
}

// within cuts off what goes beyond the limits. A first snapshot that does so by itself would wait for ever, so it is an error.
func (s *Source) within(groups [][]fetch.Object) ([][]fetch.Object, error) {
	// The limits bound one look at the place, however many snapshots are found there.
	count, bytes := 0, int64(0)
	for i, g := range groups {
		count += len(g)
		for _, o := range g {
			bytes += o.Size
		}
		if count <= s.Limits.Pages && bytes <= s.Limits.Bytes {
			continue
		}
		if i == 0 {
			return nil, fmt.Errorf("%w: %s and what belongs to it are %d files of %d bytes, beyond the limits", fetch.ErrIncomplete, g[0].Name, count, bytes)
		}
		return groups[:i], nil
	}
	return groups, nil
}

// future says why files are early, by the first.
func (s *Source) future(files []fetch.Object) error {
	first, tells, more := files[0], "was written", ""
	if first.Named {
		tells = "is named"
	}
	if n := len(files) - 1; n > 0 {
		more = fmt.Sprintf(" (as %s %d more)", plural.Word(n, "does", "do"), n)
	}
	return fmt.Errorf("the file %q %s as of %s, which lies in the future%s: it waits until then, and the others are read; check its name and the clocks",
		path.Base(first.Name), tells, first.At.In(models.Georgia).Format("2006-01-02 15:04"), more)
}

// untimed reports whether the name of a file lacks its instant although the document says that names state it. The time at
// which it was written proves nothing then: an old file that is copied today would undo what newer ones reported.
func (s *Source) untimed(o fetch.Object) bool { return s.Transport.Observed.Regex != "" && !o.Named }

// misnamed returns the error of such a file.
func (s *Source) misnamed(name string) error {
	return fmt.Errorf("the name %q does not state the instant as transport.observed of %s says: name the file so", path.Base(name), s.ID)
}

// snapshotsOf groups files, ordered by their instants, as snapshots (fetch.GroupParts); where names state no instant all are one.
func (s *Source) snapshotsOf(files []fetch.Object) [][]fetch.Object {
	if s.Transport.Observed.Regex == "" && len(files) > 0 {
		return [][]fetch.Object{files}
	}
	return fetch.GroupParts(files, func(o fetch.Object) fetch.Part {
		return fetch.Part{At: o.At, Named: true, Stem: s.Transport.Observed.Stem(o.Name)}
	})
}

// bring copies the files of a snapshot, each into a directory of its own: names may be the same in
// several folders of a bucket.
func (s *Source) bring(ctx context.Context, drop *fetch.Drop, group []fetch.Object, dir string) (*fetch.Found, error) {
	// A file may have grown since it was listed, so the bytes that are left are counted while files are copied.
	found := &fetch.Found{}
	left := s.Limits.Bytes
	for i, o := range group {
		own := filepath.Join(dir, fmt.Sprintf("%05d", i))
		if err := os.Mkdir(own, 0o700); err != nil {
			return nil, fmt.Errorf("make directory for files: %w", err)
		}
		to := filepath.Join(own, "file")
		n, err := drop.Copy(ctx, o.Name, to, left)
		if err != nil {
			return nil, err
		}
		left -= n
		found.Documents = append(found.Documents, fetch.Document{Name: path.Base(o.Name), Path: to, At: o.At})
	}
	return found, nil
}

// nothingNew notes that the place answered and holds nothing that was not read.
func (r *Runner) nothingNew(ctx context.Context, s *Source) (*Report, error) {
	now := r.Now()
	if err := r.Store.NoteNothingNew(ctx, s.ID, now); err != nil {
		return nil, err
	}
	report := newReport(0, s.ID)
	report.SnapshotAt, report.Note = now.UTC().Truncate(time.Second), "no file is new"
	return report, nil
}
