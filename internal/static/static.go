// Package static serves embedded files under addresses that change with their content, so that browsers may
// keep them for ever. It is for scripts, styles and pictures, which need no key. It knows nothing of pages.
package static

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"rollcall/internal/coding"
)

// minCompressed is the size in bytes below which a file is sent as it is: it fits one packet.
const minCompressed = 1024

// Files are the embedded files below one path. It is safe for concurrent use.
type Files struct {
	files map[string]*file
	// root is the path with the version of all files together: scripts import each other by name, so they share
	// a version.
	root string
}

// file is a file as it is sent.
type file struct {
	media string
	plain []byte
	// zipped returns the file in gzip, made when it is first asked for. It is nil for a file that is sent as it is.
	zipped func() []byte
}

// New reads all files once to compute their version. below is the path under which Files is routed, such as
// /static/web/. made are files that the program makes at its start, by their names.
func New(below string, files fs.FS, made map[string][]byte) (*Files, error) {
	sum, out := sha256.New(), map[string]*file{}
	add := func(name string, b []byte) {
		_, _ = fmt.Fprintf(sum, "%s %d\n", name, len(b)) // a hash takes everything
		_, _ = sum.Write(b)
		out[name] = newFile(name, b)
	}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(files, name)
		add(name, b)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read files of %s: %w", below, err)
	}
	for _, name := range slices.Sorted(maps.Keys(made)) {
		add(name, made[name])
	}
	return &Files{files: out, root: below + hex.EncodeToString(sum.Sum(nil)[:6]) + "/"}, nil
}

// newFile returns a file that is compressed once, however often it is asked for. So nobody can keep the service busy with it.
func newFile(name string, b []byte) *file {
	f := &file{media: mime.TypeByExtension(path.Ext(name)), plain: b}
	if len(b) < minCompressed {
		return f
	}
	f.zipped = sync.OnceValue(func() []byte { return coding.Zipped(b) })
	return f
}

// Address returns the path of a file, with the version in it.
func (f *Files) Address(name string) string { return f.root + name }

// ServeHTTP answers with a file, in gzip if the client takes that, or 404 for a file of another version. A page of an older
// program then fails at once instead of mixing two versions.
func (f *Files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, ours := strings.CutPrefix(r.URL.Path, f.root)
	known := f.files[name]
	if known == nil || !ours {
		http.NotFound(w, r)
		return
	}
	h, body := w.Header(), known.plain
	if known.zipped != nil {
		h.Add("Vary", "Accept-Encoding")
		if to := coding.Negotiate(r.Header.Values("Accept-Encoding"), coding.Gzip); to == coding.Gzip {
			h.Set("Content-Encoding", string(to))
			body = known.zipped()
		}
	}
	h.Set("Content-Type", known.media)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
}
