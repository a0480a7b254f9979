package source

import (
	"time"

	"rollcall/models"
)

// Row is the GORM model of sources: what is stored of a source that was enabled or run at least once. Source is how
// fresh it is now, Entry what its next run has to know.
type Row struct {
	ID        string    `gorm:"primaryKey"` // as the document calls it
	Title     string    // for people
	Kind      string    // roster, courts or corrections
	CountyID  *int16    // nil: each row names its county, or the source is statewide
	Parent    *string   // of a scope, one county of a source whose rows name theirs: that source
	Enabled   bool      // its schedule is on
	CreatedAt time.Time `gorm:"serializer:utc"`

	IntervalSeconds *int       // how often it is asked; nil: no schedule (dropped files)
	DataSeconds     *int       // how often it has newer data; nil: no schedule
	WholeSince      *time.Time `gorm:"serializer:utc"` // since when its document promises complete snapshots; nil: it does not
	Failures        int        // runs in a row that failed or were refused
	NotBefore       *time.Time `gorm:"serializer:utc"` // the schedule skips the source until then

	LastAttempt  *time.Time `gorm:"serializer:utc"` // when it was last asked
	LastSuccess  *time.Time `gorm:"serializer:utc"` // when it last answered well
	LastComplete *time.Time `gorm:"serializer:utc"` // instant of the last complete snapshot
	LastApplied  *time.Time `gorm:"serializer:utc"` // when its rows were last applied; nil: the next run is the baseline
	DataAt       *time.Time `gorm:"serializer:utc"` // newest instant that its data describes
	HeldSince    *time.Time `gorm:"serializer:utc"` // it waits for an operator
	RefusedSince *time.Time `gorm:"serializer:utc"` // a captcha or login wall
	RetiredAt    *time.Time `gorm:"serializer:utc"` // since when it reports no more, by an operator's word; nil: it goes on
	Note         *string    // why it is held, refused or failing; no personal data

	LastRows          *int     // rows of the last complete snapshot
	HeaderFingerprint *string  // fingerprint of the header
	Keys              []string `gorm:"serializer:list"` // field names that its rows ever had, for sources without a header
	Reported          []byte   // JSON: how many rows of the last complete snapshot filled each field; nil: not known
	HeldRun           *int64   // the run whose snapshot began the hold; nil: an operator did, or there is none
	ReleasedRun       *int64   // the run whose held snapshot was released last
}

// TableName is the table of sources.
func (Row) TableName() string { return "sources" }

// StateColumns are those that Hold, Release, Retire, AcceptColumns, AskAgain, NothingNew and After change.
var StateColumns = []string{
	"Failures", "NotBefore", "LastAttempt", "LastSuccess", "DataAt", "HeldSince", "RefusedSince", "RetiredAt", "Note", "HeaderFingerprint", "Keys", "Reported", "HeldRun", "ReleasedRun",
}

// Source is the row as readers see it. It is to be assessed.
func (r *Row) Source(counties *models.Counties, covers []int16) *models.Source {
	s := &models.Source{
		ID: r.ID, Parent: models.EmptyIfNil(r.Parent), Title: r.Title, Kind: r.Kind, Covers: covers, Enabled: r.Enabled, Interval: duration(r.IntervalSeconds), DataEvery: duration(r.DataSeconds),
		LastAttempt: r.LastAttempt, LastSuccess: r.LastSuccess, DataAt: r.DataAt, WholeSince: r.WholeSince, CompleteAt: r.LastComplete,
		HeldSince: r.HeldSince, HeldRun: r.HeldRun, RefusedAt: r.RefusedSince, RetiredAt: r.RetiredAt, NotBefore: r.NotBefore, Note: r.Note,
	}
	if r.CountyID != nil {
		s.County = counties.ByID(*r.CountyID)
	}
	return s
}

func duration(n *int) time.Duration {
	if n == nil {
		return 0
	}
	return time.Duration(*n) * time.Second
}

// Fill sets what e does not take from its document.
func (r *Row) Fill(e *Entry) {
	e.Enabled, e.LastSuccess, e.LastComplete, e.LastRows, e.HeaderFingerprint = r.Enabled, r.LastSuccess, r.LastComplete, r.LastRows, r.HeaderFingerprint
	e.DataAt, e.HeldSince, e.HeldRun, e.Keys, e.Reported, e.Failures, e.NotBefore = r.DataAt, r.HeldSince, r.HeldRun, r.Keys, r.Reported, r.Failures, r.NotBefore
}

// Hold stops the source by an operator's word. The reason of a hold that stands already stays.
func (r *Row) Hold(note string, now time.Time) {
	if r.HeldSince == nil || r.Note == nil {
		r.Note = &note
	}
	if r.HeldSince == nil {
		r.HeldSince = &now
	}
}

// Release lets a held or refused source go on, and forgets its failures. Its next run says what is to be said of it.
func (r *Row) Release() {
	note := models.NoteReleased
	r.HeldSince, r.HeldRun, r.RefusedSince, r.Note = nil, nil, nil, &note
	r.Failures, r.NotBefore = 0, nil
}

// Retire notes that the source reports no more. Its next snapshot of other bytes ends that.
func (r *Row) Retire(now time.Time) {
	if r.RetiredAt == nil {
		r.RetiredAt = &now
	}
}

// AcceptColumns makes the columns of the next snapshot the known ones.
func (r *Row) AcceptColumns() { r.HeaderFingerprint, r.Reported = nil, nil }

// NothingNew is for a place of files that was looked at and holds nothing new. That is no success until something was taken
// from a file: the source has reported nobody, and its first file is yet to be the baseline. A hold stays.
func (r *Row) NothingNew(now time.Time) {
	taken := r.DataAt != nil || r.LastApplied != nil
	switch {
	case r.HeldSince != nil:
	case !taken:
		note := "nothing was taken from a file yet"
		r.Note = &note
	case r.Failures > 0, r.Note != nil && *r.Note == models.NoteReleased:
		r.Note = nil
	}
	if taken {
		r.LastSuccess = &now
	}
	r.LastAttempt, r.Failures, r.NotBefore = &now, 0, nil
}

// After is what the end of a run means for its source. No run ends a hold or changes its reason but the one that an operator
// released. The first header is the known one until an operator accepts another; a late snapshot does not make its own the
// known one.
func (r *Row) After(end RunEnd) {
	switch {
	case end.Released:
		r.afterRelease(end)
		return
	case end.Replay:
		r.afterReplay(end)
		return
	case end.Same: // an old list that is still there
	case end.State == RunOK, end.State == RunPartial, end.State == RunHeld:
		r.RetiredAt = nil // it is back
	}
	if r.HeldSince == nil && !end.Standing {
		r.Note = models.NilIfEmpty(end.Note)
	}
	r.Failures, r.NotBefore = end.Failures, end.NotBefore
	switch end.State {
	case RunOK, RunPartial:
		r.LastSuccess, r.RefusedSince = &end.At, nil
		r.taken(end)
		r.told(end)
	case RunRefused:
		if r.RefusedSince == nil {
			r.RefusedSince = &end.At
		}
	case RunHeld:
		r.held(end)
	case RunRunning, RunFailed:
	}
}

// taken notes the columns of a snapshot that was applied, and how new its data is.
func (r *Row) taken(end RunEnd) {
	if r.HeaderFingerprint == nil && r.newest(end) {
		r.HeaderFingerprint = models.NilIfEmpty(end.HeaderFingerprint)
	}
	data := end.DataAt
	if data.After(end.At) { // stamps of a clock that is ahead
		data = end.At
	}
	if r.DataAt == nil || data.After(*r.DataAt) {
		r.DataAt = &data
	}
}

// told stores which fields the rows of all scopes stated. A source that is its own scope stores it with its rows.
func (r *Row) told(end RunEnd) {
	if end.Keys != nil {
		r.Keys = end.Keys
	}
	if end.Reported != nil {
		r.Reported = end.Reported
	}
}

// held begins a hold, unless one stands.
func (r *Row) held(end RunEnd) {
	if r.HeldSince != nil || end.Standing {
		return
	}
	r.Note, r.HeldSince, r.HeldRun = models.NilIfEmpty(end.Note), &end.At, &end.Run
}

// afterRelease is After for a held snapshot that an operator released: as if it had been believed when it was read. What could
// not be applied stays held.
func (r *Row) afterRelease(end RunEnd) {
	if end.State != RunOK && end.State != RunPartial {
		return
	}
	r.ReleasedRun = r.HeldRun
	r.Release()
	r.HeaderFingerprint = nil // its columns are the known ones
	if r.LastSuccess == nil || end.ReadAt.After(*r.LastSuccess) {
		r.LastSuccess = &end.ReadAt
	}
	r.taken(end)
}

// afterReplay is After for a run that asked nobody: how fresh the source is stays as it was. A county that was never read well
// before is as fresh as the documents that are read again. A replay that is held holds the
// source too, unless a newer complete snapshot is known: then what is held is the past, and the source goes on.
func (r *Row) afterReplay(end RunEnd) {
	switch {
	case end.State == RunHeld && r.newest(end):
		r.held(end)
	case end.State != RunOK && end.State != RunPartial:
	case r.Parent != nil && !end.ReadAt.IsZero() && (r.LastSuccess == nil || end.ReadAt.After(*r.LastSuccess)):
		r.LastSuccess = &end.ReadAt
		r.taken(end)
	case end.Accepts:
		r.told(end)
		if end.HeaderFingerprint != "" {
			r.HeaderFingerprint = &end.HeaderFingerprint
		}
	case end.Keys != nil:
		r.Keys = end.Keys
	}
}

// newest reports whether no newer complete snapshot is known.
func (r *Row) newest(end RunEnd) bool {
	return r.LastComplete == nil || !r.LastComplete.After(end.SnapshotAt)
}

// County is a county that a source has reported. It is the GORM model of source_counties.
type County struct {
	SourceID string `gorm:"primaryKey"`                     // that reported it
	CountyID int16  `gorm:"primaryKey;autoIncrement:false"` // that its rows named
}

// TableName is the table of counties by source.
func (County) TableName() string { return "source_counties" }

// File is a file of a folder, a server or a bucket that was read. It is the GORM model of source_files.
type File struct {
	SourceID string    `gorm:"primaryKey"` // whose place it is
	Name     string    `gorm:"primaryKey"` // below that place
	Mark     string    // another one when the file is written again
	RunID    *int64    // the run that read it
	TakenAt  time.Time `gorm:"serializer:utc"` // when it was read
}

// TableName is the table of files that were read.
func (File) TableName() string { return "source_files" }
