package web

import (
	"fmt"
	"io/fs"

	"rollcall/internal/static"
)

// assetPath is where the embedded scripts, styles and pictures are served.
const assetPath = "/static/web/"

func newAssets() (*static.Files, error) {
	inside, err := fs.Sub(files, "static")
	if err != nil {
		return nil, fmt.Errorf("open static files: %w", err)
	}
	return static.New(assetPath, inside)
}
