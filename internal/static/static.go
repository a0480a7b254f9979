// Package static serves embedded files under addresses that change with what is in them, so that browsers keep them for ever.
// It is for scripts, styles and pictures, which anybody may have; it knows nothing of pages.
package static

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"
)

// Files are served below a path of their own.
type Files struct {
	files fs.FS
	root  string // the path and the version of all files together, since scripts import each other by name
}

// New reads all files once, for their version. below is the path under which Files is routed, such as /static/web/.
func New(below string, files fs.FS) (*Files, error) {
	sum := sha256.New()
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(files, name)
		_, _ = fmt.Fprintf(sum, "%s %d\n", name, len(b)) // a hash takes everything
		_, _ = sum.Write(b)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read files of %s: %w", below, err)
	}
	return &Files{files: files, root: below + hex.EncodeToString(sum.Sum(nil)[:6]) + "/"}, nil
}

// Address is where a file is found.
func (f *Files) Address(name string) string { return f.root + name }

// ServeHTTP answers with a file. One of another version is not there: a page of an older program finds out at once.
func (f *Files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, ours := strings.CutPrefix(r.URL.Path, f.root)
	b, err := fs.ReadFile(f.files, name)
	if err != nil || !ours {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(b))
}
