package service

import (
	"errors"
	"io/fs"
	"time"

	"github.com/schollz/progressbar/v3"

	"rollcall/ingest"
)

// Document returns a source document: the operator's own or a shipped one by its id, else the file at that
// path. A document with mistakes is an error that lists them with their paths. A name that is neither an id nor
// a file is fs.ErrNotExist.
func (a *App) Document(idOrFile string) (*ingest.Source, error) {
	s, err := a.FindSource()(idOrFile)
	if errors.Is(err, fs.ErrNotExist) {
		return ingest.Load(idOrFile)
	}
	return s, err
}

// Bar returns a progress bar on standard error if a person reads it, and one that shows nothing otherwise.
// maximum is in bytes, or -1 when it is not known.
func (a *App) Bar(maximum int64, what string) *progressbar.ProgressBar {
	return progressbar.NewOptions64(maximum, progressbar.OptionSetDescription(what), progressbar.OptionSetWriter(a.Stderr),
		progressbar.OptionSetVisibility(IsTerminal(a.Stderr)), progressbar.OptionShowBytes(true),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetSpinnerChangeInterval(0)) // else it draws from a goroutine that outlives it
}
