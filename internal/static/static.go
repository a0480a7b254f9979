// Package static serves embedded files under addresses that change with their content, so that browsers may
// keep them for ever. It is for scripts, styles and pictures, which need no key. It knows nothing of pages.
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

// Files are the embedded files below one path. It is safe for concurrent use.
type Files struct {
	files fs.FS
	// root is the path with the version of all files together: scripts import each other by name, so they share
	// a version.
	root string
}

// New reads all files once to compute their version. below is the path under which Files is routed, such as
// /static/web/.
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

// Address returns the path of a file, with the version in it.
func (f *Files) Address(name string) string { return f.root + name }

// ServeHTTP answers with a file, or 404 for a file of another version. A page of an older program then fails at
// once instead of mixing two versions.
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
