/* The loops that a person would write, with 32-bit positions and coordinates. Results that grow have room enough. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
typedef int32_t I;
typedef int64_t L;
#ifdef _OPENMP
#define ROWS _Pragma("omp parallel for schedule(dynamic, 512)")
#else
#define ROWS
#endif
#define SPMV(NAME, T)                                                                                                 \
  void NAME(I m, const I *pos, const I *crd, const T *val, const T *restrict x, T *restrict y) {                      \
    ROWS for (I i = 0; i < m; i++) {                                                                                  \
      T sum = 0;                                                                                                      \
      for (I p = pos[i]; p < pos[i + 1]; p++) sum += val[p] * x[crd[p]];                                              \
      y[i] = sum;                                                                                                     \
    }                                                                                                                 \
  }
SPMV(spmv_csr_f64, double)
SPMV(spmv_csr_f32, float)
void spmv_csc(I m, I n, const I *pos, const I *crd, const double *val, const double *restrict x, double *restrict y) {
  memset(y, 0, m * sizeof *y);
  for (I j = 0; j < n; j++)
    for (I p = pos[j]; p < pos[j + 1]; p++) y[crd[p]] += val[p] * x[j];
}
void spmv_coo(I m, I n, const I *row, const I *col, const double *val, const double *restrict x, double *restrict y) {
  memset(y, 0, m * sizeof *y);
  for (I p = 0; p < n; p++) y[row[p]] += val[p] * x[col[p]];
}
void spmv_bsr(I m, const I *pos, const I *crd, const double *val, const double *restrict x, double *restrict y) {
  ROWS for (I i = 0; i < m; i++) {
    double sum[4] = {0};
    for (I p = pos[i]; p < pos[i + 1]; p++)
      for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++) sum[a] += val[(L)16 * p + 4 * a + b] * x[4 * crd[p] + b];
    for (int a = 0; a < 4; a++) y[4 * i + a] = sum[a];
  }
}
void spmm(I m, I k, const I *pos, const I *crd, const double *val, const double *restrict B, double *restrict C) {
  ROWS for (I i = 0; i < m; i++) {
    double *row = C + (L)i * k;
    for (I r = 0; r < k; r++) row[r] = 0;
    for (I p = pos[i]; p < pos[i + 1]; p++) {
      const double *other = B + (L)crd[p] * k;
      for (I r = 0; r < k; r++) row[r] += val[p] * other[r];
    }
  }
}
void sddmm(I m, I k, const I *pos, const I *crd, const double *val, const double *U, const double *V,
           double *restrict out) {
  ROWS for (I i = 0; i < m; i++)
    for (I p = pos[i]; p < pos[i + 1]; p++) {
      const double *u = U + (L)i * k, *v = V + (L)crd[p] * k;
      double sum = 0;
      for (I r = 0; r < k; r++) sum += u[r] * v[r];
      out[p] = val[p] * sum;
    }
}
I add(I m, const I *ap, const I *ac, const double *av, const I *bp, const I *bc, const double *bv, I *restrict cp,
      I *restrict cc, double *restrict cv) {
  I n = 0;
  cp[0] = 0;
  for (I i = 0; i < m; i++) {
    I p = ap[i], q = bp[i];
    while (p < ap[i + 1] && q < bp[i + 1]) {
      if (ac[p] == bc[q]) { cc[n] = ac[p]; cv[n++] = av[p++] + bv[q++]; }
      else if (ac[p] < bc[q]) { cc[n] = ac[p]; cv[n++] = av[p++]; }
      else { cc[n] = bc[q]; cv[n++] = bv[q++]; }
    }
    for (; p < ap[i + 1]; p++) { cc[n] = ac[p]; cv[n++] = av[p]; }
    for (; q < bp[i + 1]; q++) { cc[n] = bc[q]; cv[n++] = bv[q]; }
    cp[i + 1] = n;
  }
  return n;
}
I mul(I m, const I *ap, const I *ac, const double *av, const I *bp, const I *bc, const double *bv, I *restrict cp,
      I *restrict cc, double *restrict cv) {
  I n = 0;
  cp[0] = 0;
  for (I i = 0; i < m; i++) {
    I p = ap[i], q = bp[i];
    while (p < ap[i + 1] && q < bp[i + 1]) {
      if (ac[p] == bc[q]) { cc[n] = ac[p]; cv[n++] = av[p++] * bv[q++]; }
      else if (ac[p] < bc[q]) p++;
      else q++;
    }
    cp[i + 1] = n;
  }
  return n;
}
static int less(const void *a, const void *b) {
  I x = *(const I *)a, y = *(const I *)b;
  return (x > y) - (x < y);
}
/* Gustavson's algorithm with a dense row, columns sorted. */
I spgemm(I m, const I *ap, const I *ac, const double *av, I *restrict cp, I *restrict cc, double *restrict cv,
         double *restrict row, char *restrict seen) {
  I n = 0;
  cp[0] = 0;
  for (I i = 0; i < m; i++) {
    I start = n;
    for (I p = ap[i]; p < ap[i + 1]; p++)
      for (I q = ap[ac[p]]; q < ap[ac[p] + 1]; q++) {
        I j = ac[q];
        if (!seen[j]) { seen[j] = 1; cc[n++] = j; row[j] = 0; }
        row[j] += av[p] * av[q];
      }
    qsort(cc + start, n - start, sizeof *cc, less);
    for (I p = start; p < n; p++) { cv[p] = row[cc[p]]; seen[cc[p]] = 0; }
    cp[i + 1] = n;
  }
  return n;
}
void mttkrp(I n0, I slices, const I *crd0, const I *pos1, const I *crd1, const I *pos2, const I *crd2,
            const double *val, const double *G, const double *H, double *restrict M) {
  memset(M, 0, (L)n0 * 32 * sizeof *M);
  ROWS for (I s = 0; s < slices; s++)
    for (I f = pos1[s]; f < pos1[s + 1]; f++) {
      double sum[32] = {0};
      for (I p = pos2[f]; p < pos2[f + 1]; p++)
        for (int r = 0; r < 32; r++) sum[r] += val[p] * H[(L)32 * crd2[p] + r];
      for (int r = 0; r < 32; r++) M[(L)32 * crd0[s] + r] += sum[r] * G[(L)32 * crd1[f] + r];
    }
}
I ttv(I n0, I slices, const I *crd0, const I *pos1, const I *crd1, const I *pos2, const I *crd2, const double *val,
      const double *z, I *restrict cp, I *restrict cc, double *restrict cv) {
  memset(cp, 0, ((L)n0 + 1) * sizeof *cp);
  for (I s = 0; s < slices; s++) {
    cp[crd0[s] + 1] = pos1[s + 1] - pos1[s];
    for (I f = pos1[s]; f < pos1[s + 1]; f++) {
      double sum = 0;
      for (I p = pos2[f]; p < pos2[f + 1]; p++) sum += val[p] * z[crd2[p]];
      cc[f] = crd1[f];
      cv[f] = sum;
    }
  }
  for (I i = 0; i < n0; i++) cp[i + 1] += cp[i];
  return cp[n0];
}
/* By counting: rows in any order; columns stay in the order that they had. */
void coo2csr(I m, I n, const I *row, const I *col, const double *val, I *restrict pos, I *restrict crd,
             double *restrict out) {
  memset(pos, 0, ((L)m + 2) * sizeof *pos);
  for (I p = 0; p < n; p++) pos[row[p] + 2]++;
  for (I i = 0; i < m; i++) pos[i + 2] += pos[i + 1];
  for (I p = 0; p < n; p++) {
    I to = pos[row[p] + 1]++;
    crd[to] = col[p];
    out[to] = val[p];
  }
}
void csr2csc(I m, I n, const I *pos, const I *crd, const double *val, I *restrict cpos, I *restrict ccrd,
             double *restrict cval) {
  memset(cpos, 0, ((L)n + 2) * sizeof *cpos);
  for (I p = 0; p < pos[m]; p++) cpos[crd[p] + 2]++;
  for (I j = 0; j < n; j++) cpos[j + 2] += cpos[j + 1];
  for (I i = 0; i < m; i++)
    for (I p = pos[i]; p < pos[i + 1]; p++) {
      I to = cpos[crd[p] + 1]++;
      ccrd[to] = i;
      cval[to] = val[p];
    }
}
/* Blocks of four by four; `at` has -1 for each column of blocks. */
I csr2bsr(I m, const I *pos, const I *crd, const double *val, I *restrict bpos, I *restrict bcrd, double *restrict bval,
          I *restrict at) {
  I n = 0;
  bpos[0] = 0;
  for (I b = 0; b < m / 4; b++) {
    I start = n;
    for (I p = pos[4 * b]; p < pos[4 * b + 4]; p++)
      if (at[crd[p] / 4] < start) { at[crd[p] / 4] = n; bcrd[n++] = crd[p] / 4; }
    qsort(bcrd + start, n - start, sizeof *bcrd, less);
    for (I q = start; q < n; q++) at[bcrd[q]] = q;
    memset(bval + (L)16 * start, 0, (L)16 * (n - start) * sizeof *bval);
    for (I r = 0; r < 4; r++)
      for (I p = pos[4 * b + r]; p < pos[4 * b + r + 1]; p++)
        bval[(L)16 * at[crd[p] / 4] + 4 * r + crd[p] % 4] = val[p];
    bpos[b + 1] = n;
  }
  for (I q = 0; q < n; q++) at[bcrd[q]] = -1;
  return n;
}
I dense2csr(I m, I n, const double *d, I *restrict pos, I *restrict crd, double *restrict val) {
  I count = 0;
  pos[0] = 0;
  for (I i = 0; i < m; i++) {
    for (I j = 0; j < n; j++)
      if (d[(L)i * n + j] != 0) { crd[count] = j; val[count++] = d[(L)i * n + j]; }
    pos[i + 1] = count;
  }
  return count;
}
