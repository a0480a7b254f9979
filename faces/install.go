package faces

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
)

// pack is the npm package that has the weights.
const pack = "@vladmandic/face-api@1.7.15"

// mostWeights is the size in bytes from which a file of the archive is not read: none of the weights is that large.
const mostWeights = 16 << 20

// Fetch downloads the archive of the weights into a directory by npm, and returns its file. Nothing is unpacked.
func Fetch(ctx context.Context, dir string) (string, error) {
	cmd := exec.CommandContext(ctx, "npm", "pack", "--loglevel", "error", "--cache", filepath.Join(dir, "npm"), "--pack-destination", dir, pack) //nolint:gosec // our arguments
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return "", errors.New("npm is not installed: install it, or fetch the package " + pack + " elsewhere and name the file with --from")
		}
		return "", fmt.Errorf("npm pack %s: %w: %s", pack, err, bytes.TrimSpace(stderr.Bytes()))
	}
	return filepath.Join(dir, "vladmandic-face-api-1.7.15.tgz"), os.RemoveAll(filepath.Join(dir, "npm"))
}

// Install takes the weights out of an archive into a directory. It writes a file only if its digest is the pinned
// one, and it writes all or returns an error that names what is not there.
func Install(archive, dir string) error {
	f, err := os.Open(archive) //nolint:gosec // named by the operator
	if err != nil {
		return fmt.Errorf("open the archive of weights: %w", err)
	}
	defer func() { _ = f.Close() }()
	zipped, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s is not the archive of an npm package: %w", filepath.Base(archive), err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // published weights, no secret
		return fmt.Errorf("make the directory of weights: %w", err)
	}
	left := len(digests)
	for entries := tar.NewReader(zipped); ; {
		entry, err := entries.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("read the archive of weights: %w", err)
		}
		name := path.Base(entry.Name)
		want, ours := digests[name]
		if !ours || path.Dir(entry.Name) != "package/model" {
			continue
		}
		b, err := io.ReadAll(io.LimitReader(entries, mostWeights))
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != want {
			return fmt.Errorf("%s in the archive has the digest %x, not %s: it is not the measured version", name, sum, want)
		}
		if err := replace(filepath.Join(dir, name), b); err != nil {
			return err
		}
		left--
	}
	if left > 0 {
		return fmt.Errorf("the archive lacks %d of the %d files of weights: it is not %s", left, len(digests), pack)
	}
	return nil
}

// replace writes a file whole or not at all.
func replace(name string, b []byte) error {
	part := name + ".part"
	if err := os.WriteFile(part, b, 0o644); err != nil { //nolint:gosec // published weights, no secret
		return fmt.Errorf("write weights: %w", err)
	}
	if err := os.Rename(part, name); err != nil {
		return fmt.Errorf("write weights: %w", err)
	}
	return nil
}
