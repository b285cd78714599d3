#!/bin/sh
# Makes the certificates of the tests anew: an authority that nobody trusts, and what it signed.
set -eu
cd "$(dirname "$0")"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 -subj "/CN=Authority of the tests" \
  -addext "keyUsage=critical,keyCertSign,cRLSign" -keyout authority.key -out authority.pem
sign() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" -keyout "$1.key" -out "$1.csr"
  printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth\n' "$2" > "$1.ext"
  shift 2
  openssl x509 -req -CA authority.pem -CAkey authority.key -in "$name.csr" -extfile "$name.ext" -out "$name.crt" "$@"
  cat "$name.key" "$name.crt" > "$name.pem"
}
name=good; sign good "DNS:localhost,IP:127.0.0.1" -days 36400
name=other; sign other "DNS:other.example" -days 36400
# A day from 2020, for which x509 has no option.
printf '[ca]\ndefault_ca=d\n[d]\ndatabase=index.txt\nserial=serial\nnew_certs_dir=.\ndefault_md=sha256\npolicy=p\n[p]\ncommonName=supplied\n' > ca.cnf
: > index.txt; echo 01 > serial
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=expired" -keyout expired.key -out expired.csr
printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\n' > expired.ext
openssl ca -batch -notext -config ca.cnf -cert authority.pem -keyfile authority.key -startdate 20200101000000Z \
  -enddate 20200102000000Z -extfile expired.ext -in expired.csr -out expired.crt
cat expired.key expired.crt > expired.pem
rm -f ./*.key ./*.csr ./*.ext ./*.crt ca.cnf index.txt* serial* 01.pem
