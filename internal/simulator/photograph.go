package simulator

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"rollcall/internal/simulator/gallery"
)

// photographOf returns what a jail shows of somebody. Three vendors show photographs: F3 within its rows, of one in four, so that
// pages stay small; F9 at an address; F1 as files beside its own. The others have no place for them.
func photographOf(shape string, mark uint64) gallery.Shown {
	shown := gallery.Of(mark >> 40)
	switch {
	case shape == ShapeNewWorld, shape == ShapeCommonCSV, shape == ShapeZuercher && mark>>24%4 == 0 && shown != gallery.Missing:
		return shown
	}
	return gallery.Nothing
}

// photographName is the name of the file with a booking's photograph; empty if its row names none.
func photographName(b Booking) string {
	if b.Photograph == gallery.Nothing {
		return ""
	}
	return b.Number + ".jpg"
}

// offenderPhotograph is the same for a corrections record.
func offenderPhotograph(o Offender) string {
	if o.Photograph == gallery.Nothing {
		return ""
	}
	return o.GDC + ".jpg"
}

// kept is a photograph that a vendor has, or seems to have.
type kept struct {
	shown  gallery.Shown
	person int
}

// photographs yields the photographs that the rows of a view name, by the names of their files.
func (v *view) photographs(yield func(string, kept) bool) {
	for _, b := range slices.Concat(v.custody, v.departed) {
		if name := photographName(b); name != "" && !yield(name, kept{b.Photograph, b.Person}) {
			return
		}
	}
	for i := range v.offenders {
		o := &v.offenders[i]
		if name := offenderPhotograph(*o); name != "" && !yield(name, kept{o.Photograph, o.Person}) {
			return
		}
	}
}

// servePhotograph answers a photograph, or on condition that it changed. Its type is left to who reads it.
func servePhotograph(v *view, w http.ResponseWriter, q query) {
	for name, k := range v.photographs {
		if name != q.PathValue("file") {
			continue
		}
		if file, ok := k.shown.File(k.person); ok {
			w.Header().Set("ETag", fmt.Sprintf(`"%.8x"`, sha256.Sum256(file)))
			http.ServeContent(w, q.Request, "", time.Time{}, bytes.NewReader(file))
			return
		}
	}
	http.NotFound(w, q.Request)
}

// dropPhotographs writes the photographs that a feed names into a folder, but for those that are there.
func (s *Simulator) dropPhotographs(feed Feed, folder string) error {
	for name, k := range s.look(feed, "drop", true).photographs {
		path := filepath.Join(folder, name)
		if _, err := os.Stat(path); err == nil {
			continue
		}
		if file, ok := k.shown.File(k.person); ok {
			if err := os.WriteFile(path, file, 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}
