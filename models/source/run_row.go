package source

import "time"

// Archive is one document as it was received. It is the GORM model of archives. What it holds is kept once for all
// archives of the same bytes (ArchiveContent).
type Archive struct {
	ID        int64     `gorm:"primaryKey"` // set by BeginArchive
	RunID     int64     // the run that fetched it
	Seq       int       // its place in the run
	Name      string    // as the source calls it
	ContentID int64     // what it holds
	Bytes     int64     // of the plain document
	Fetched   time.Time `gorm:"column:fetched_at;serializer:utc"`  // when it was fetched
	Observed  time.Time `gorm:"column:observed_at;serializer:utc"` // the instant that it describes
	Expires   time.Time `gorm:"column:expires_at;serializer:utc"`  // when it is deleted
	Digest    []byte    `gorm:"->"`                                // of its content, which Archives reads with it
}

// TableName is the table of archived documents.
func (Archive) TableName() string { return "archives" }

// ArchiveContent is what archived documents of the same bytes hold. It is the GORM model of archive_contents.
type ArchiveContent struct {
	ID       int64  `gorm:"primaryKey"`
	SourceID string // whose documents they are
	Digest   []byte // keyed digest of the plain bytes
	Stored   *int64 // bytes of its chunks; nil: they are not all written
}

// TableName is the table of contents of documents.
func (ArchiveContent) TableName() string { return "archive_contents" }

// ArchiveChunk is a part of a content, compressed and encrypted. It is the GORM model of archive_chunks.
type ArchiveChunk struct {
	ContentID int64  `gorm:"primaryKey;autoIncrement:false"` // the content
	Seq       int    `gorm:"primaryKey;autoIncrement:false"` // its place in the content
	Encrypted []byte // compressed, then encrypted
}

// TableName is the table of parts of documents.
func (ArchiveChunk) TableName() string { return "archive_chunks" }

// RunState is how a run of a source ended.
type RunState string

// The states of runs.
const (
	RunRunning RunState = "running" // not ended, or its process was killed
	RunOK      RunState = "ok"      // everything was read and applied
	RunPartial RunState = "partial" // applied, but rows went to quarantine or the snapshot is not complete
	RunHeld    RunState = "held"    // nothing applied: waits for an operator
	RunRefused RunState = "refused" // a captcha or login wall
	RunFailed  RunState = "failed"  // nothing applied
)

// NoteCancelled is the note of a failed run that an operator cancelled.
const NoteCancelled = "an operator cancelled this run"

// Run is one reading of a source. It is the GORM model of runs.
type Run struct {
	ID         int64      `gorm:"primaryKey"`
	SourceID   string     // what was read
	State      RunState   // how it ended
	Started    time.Time  `gorm:"column:started_at;serializer:utc"`  // when it began
	Finished   *time.Time `gorm:"column:finished_at;serializer:utc"` // nil: it runs, or its process was killed
	SnapshotAt *time.Time `gorm:"serializer:utc"`                    // the instant that its data describes
	Complete   bool       // proven complete: people who are absent from it may be released
	Documents  *int       // files of the snapshot; fewer than before: it is still being copied
	ReplayOf   *int64     // the run whose documents it read again
	PartOf     *int64     // of a scope: the run of its source, which read the documents
	Note       *string    `gorm:"column:error"` // why it did not go well; no personal data
	Report     []byte     // JSON
}

// TableName is the table of runs.
func (Run) TableName() string { return "runs" }

// RunEnd is the outcome of a run.
type RunEnd struct {
	Run               int64      // set by FinishRun
	State             RunState   // how it ended
	At                time.Time  // when it ended
	SnapshotAt        time.Time  // the instant that it speaks of
	DataAt            time.Time  // the same by the stamps of its rows, where they have some
	Report            []byte     // JSON
	Note              string     // why it did not go well; no personal data
	HeaderFingerprint string     // of this run, to become the known one where none is
	Keys              []string   // of a source with scopes: the names of values that are known with it; nil: as before
	Accepts           bool       // an operator released a scope of it: its columns, and the fields that its rows stated, are the known ones
	Reported          []byte     // likewise: which fields its rows stated, as JSON; nil: as before
	Failures          int        // runs in a row that failed or were refused, this one included
	NotBefore         *time.Time // the schedule skips the source until then; nil: it does not
	Same              bool       // set by FinishRun, of a retired source: its documents are those of the run before, byte by byte
	Standing          bool       // it was held by a hold that stood already; if that ended meanwhile, this run does not bring it back
	Replay            bool       // nobody asked the source: how fresh it is stays as it was; a hold is one all the same
	Released          bool       // an operator released it: once it is applied the hold ends, and the source is as fresh as if it had been believed at once
	ReadAt            time.Time  // of Released and Replay: when the source brought it
}

// PastDocuments is of how many files the snapshots of a source consisted before one of an instant. Zero: nothing is known.
type PastDocuments struct {
	Complete int  // the newest complete one, of that instant or before
	Same     bool // it is of that very instant
	Previous int  // the newest one of an instant before, complete or not
}
