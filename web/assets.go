package web

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

// assetPath is where the embedded files are served, below a version that changes with their content.
const assetPath = "/static/web/"

// assets are the embedded scripts, styles and pictures.
type assets struct {
	files   fs.FS
	version string // of all files together, since scripts import each other by name
}

func newAssets() (*assets, error) {
	static, err := fs.Sub(files, "static")
	if err != nil {
		return nil, fmt.Errorf("open static files: %w", err)
	}
	sum := sha256.New()
	err = fs.WalkDir(static, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(static, name)
		_, _ = fmt.Fprintf(sum, "%s %d\n", name, len(b)) // a hash takes everything
		_, _ = sum.Write(b)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read static files: %w", err)
	}
	return &assets{files: static, version: hex.EncodeToString(sum.Sum(nil)[:6])}, nil
}

// address is where a file is found.
func (a *assets) address(name string) string { return assetPath + a.version + "/" + name }

// serve answers with a file. One of another version is not there: a page of an older program finds out at once.
func (a *assets) serve(w http.ResponseWriter, r *http.Request) {
	version, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, assetPath), "/")
	b, err := fs.ReadFile(a.files, name)
	if err != nil || version != a.version {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(b))
}
